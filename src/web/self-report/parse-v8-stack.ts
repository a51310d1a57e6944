type Frame = { function: string; filename: string; lineno: number; colno: number; in_app: boolean }

const maxFrames = 50

/** `at name (file:line:column)` lines as the wire wants them: oldest call first. */
export function parseV8Stack(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const line of stack.split('\n').slice(0, maxFrames)) {
    const call = /^\s*at (.+)$/.exec(line)?.[1] ?? ''
    const position = /:(\d{1,9}):(\d{1,9})\)?$/.exec(call)
    if (!position) continue
    const [, lineno, colno] = position
    const nameEnd = call.indexOf(' (')
    const filename = call.slice(nameEnd === -1 ? 0 : nameEnd + 2, position.index).replace(/^file:\/\//, '')
    frames.push({
      function: nameEnd === -1 ? '<anonymous>' : call.slice(0, nameEnd),
      filename,
      lineno: Number(lineno),
      colno: Number(colno),
      in_app: !filename.includes('node_modules') && !filename.startsWith('node:'),
    })
  }
  return frames.reverse()
}
