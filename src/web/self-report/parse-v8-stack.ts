type Frame = { function: string; filename: string; lineno: number; colno: number; in_app: boolean }

const maxFrames = 50

/** `at name (file:line:column)` lines as the wire wants them: oldest call first. */
export function parseV8Stack(stack: string): Frame[] {
  const frames: Frame[] = []
  for (const line of stack.split('\n').slice(0, maxFrames)) {
    const match = /^\s*at (?:(.*?) \()?(?:file:\/\/)?(.+?):(\d+):(\d+)\)?$/.exec(line)
    if (!match) continue
    const [, name, filename = '', lineno, colno] = match
    frames.push({
      function: name ?? '<anonymous>',
      filename,
      lineno: Number(lineno),
      colno: Number(colno),
      in_app: !filename.includes('node_modules') && !filename.startsWith('node:'),
    })
  }
  return frames.reverse()
}
