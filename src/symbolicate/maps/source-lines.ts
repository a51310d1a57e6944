import { limits } from '../limits.ts'

/** A source whose lines can be had by number, without an array of them all. */
export type SourceLines = {
  count: number
  /** From 0. Without its end of line; '' outside. */
  line(index: number): string
}

export function sourceLines(text: string): SourceLines {
  const starts: number[] = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return {
    count: starts.length,
    line: index => {
      const start = starts[index]
      if (start === undefined) return ''
      const end = starts[index + 1] ?? text.length + 1
      return text.slice(start, text.charCodeAt(end - 2) === 13 ? end - 2 : end - 1)
    },
  }
}

export type Context = { before: string[]; line: string; after: string[] }

/** The line and its neighbours; null where the source has no such line. `line` counts from 1, `column` from 0. */
export function contextOf(source: SourceLines, line: number, column: number): Context | null {
  if (line > source.count) return null
  const at = line - 1
  const from = Math.max(0, at - limits.contextLines)
  const to = Math.min(source.count - 1, at + limits.contextLines)
  const before: string[] = []
  const after: string[] = []
  for (let index = from; index < at; index++) before.push(clip(source.line(index), 0))
  for (let index = at + 1; index <= to; index++) after.push(clip(source.line(index), 0))
  return { before, line: clip(source.line(at), column), after }
}

/** SDKs mark what they cut the same way, and grouping knows the mark. */
function clip(line: string, column: number): string {
  if (line.length <= limits.lineChars) return copyOf(line)
  const start = Math.max(0, Math.min(column - limits.lineChars / 2, line.length - limits.lineChars))
  const head = start > 0 ? '{snip} ' : ''
  const tail = start + limits.lineChars < line.length ? ' {snip}' : ''
  return copyOf(`${head}${line.slice(start, start + limits.lineChars)}${tail}`)
}

/** A slice keeps the whole source in memory as long as it lives; a frame that is remembered must not. */
const copyOf = (text: string): string => Buffer.from(text).toString()
