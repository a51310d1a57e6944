/** The page before and after a moment of a recording, cut to what differs. */
import { jsonObjectOf } from '#lib/json-value.ts'
import { applyFrame, linesOf, newDom } from './recorded-dom.ts'

export type DomChange = {
  before: string[]
  after: string[]
  /** The number of the first line that is shown, and how many differ beyond those shown. */
  firstLine: number
  left: number
}

/** React replaces the HTML, then reports the error; the recorder sees the change right after that. */
const [earlyMs, lateMs] = [100, 500]
const maxLines = 5_000
const [contextLines, shownLines] = [4, 150]

/**
 * `segments` are those of `readFrames`, in order; reading ends with the first that is later. Null if the recording has no picture of the
 * page up to then, or nothing changed around that time. `timeOf` gets the first event's time and says when it was, by the same clock.
 */
export async function compareDom(
  segments: AsyncIterable<readonly string[]>,
  timeOf: (firstAt: number) => number,
): Promise<DomChange | null> {
  const dom = newDom()
  let at: number | null = null
  let before: string[] | null = null
  let isChanged = false
  reading: for await (const frames of segments) {
    const events = frames.map(jsonObjectOf).sort((a, b) => Number(a.timestamp) - Number(b.timestamp))
    for (const event of events) {
      const timestamp = Number(event.timestamp)
      at ??= timeOf(timestamp)
      if (timestamp > at + lateMs) break reading
      // The page as it was, before the first change around the time. A picture that begins later is of another page.
      if (before === null && timestamp >= at - earlyMs && dom.root !== null) before = linesOf(dom, maxLines)
      const isNew = applyFrame(dom, event)
      if (before !== null) isChanged ||= isNew
    }
  }
  if (before === null || !isChanged) return null
  return cutToChange(before, linesOf(dom, maxLines))
}

function cutToChange(before: readonly string[], after: readonly string[]): DomChange | null {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  if (start === before.length && start === after.length) return null
  const from = Math.max(0, start - contextLines)
  const cut = (lines: readonly string[]): string[] =>
    unindent(lines.slice(from, Math.min(lines.length - end + contextLines, from + shownLines)))
  const longest = Math.max(before.length, after.length) - end - from
  return { before: cut(before), after: cut(after), firstLine: from + 1, left: Math.max(0, longest - shownLines) }
}

/** Deep parts of a page would begin far to the right. */
function unindent(lines: readonly string[]): string[] {
  const least = Math.min(...lines.map(line => line.length - line.trimStart().length))
  return Number.isFinite(least) ? lines.map(line => line.slice(least)) : []
}
