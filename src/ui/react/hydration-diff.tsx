import { ScrollRegion } from '../page-parts.tsx'
import { showHidden } from '../shorten.ts'
import { Wire } from '../wire.tsx'

type Props = { server: string; client: string }

/** The server's and the browser's HTML of the same element, side by side. Both are untrusted and shown as text. */
export const HydrationDiff = ({ server, client }: Props) => (
  <DiffPanes
    left={{ title: 'Server sent', side: 'server', lines: formatHtml(server), label: 'What the server sent' }}
    right={{
      title: 'Browser rendered',
      side: 'browser',
      lines: formatHtml(client),
      label: 'What the browser rendered',
    }}
  />
)

type Pane = { title: string; side: 'server' | 'browser'; lines: readonly string[]; label: string }

/** Two versions of HTML, as lines of text. `firstLine` is the number of the first of them. */
export function DiffPanes({ left, right, firstLine = 1 }: { left: Pane; right: Pane; firstLine?: number }) {
  const rows = diffLines(left.lines, right.lines)
  return (
    <div className="diff">
      {([left, right] as const).map(({ title, side, label }) => (
        <div key={side} className={side === 'server' ? 'sv' : 'cl'}>
          <header>
            <b>{title}</b>
            <span className="r">
              <Wire side={side} />
            </span>
          </header>
          <ScrollRegion className="code" label={label}>
            {rows.map((row, index) => (
              <Line
                key={index}
                line={side === 'server' ? row.server : row.client}
                isChanged={row.isChanged}
                firstLine={firstLine}
              />
            ))}
          </ScrollRegion>
        </div>
      ))}
    </div>
  )
}

function Line({ line, isChanged, firstLine }: { line: DiffLine | null; isChanged: boolean; firstLine: number }) {
  if (line === null) return <div className="l none" aria-hidden="true" />
  return (
    <div className={isChanged ? 'l ch' : 'l'}>
      <i>{line.number + firstLine - 1}</i>
      <span>
        {showHidden(line.before)}
        {line.changed ? <mark>{showHidden(line.changed)}</mark> : null}
        {showHidden(line.after)}
      </span>
    </div>
  )
}

type DiffLine = { number: number; before: string; changed: string; after: string }
type DiffRow = { server: DiffLine | null; client: DiffLine | null; isChanged: boolean }

/** Aligns the lines of two fragments. Equal lines are paired; differing lines between them are paired in order. */
export function diffLines(server: readonly string[], client: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = []
  let [one, two] = [0, 0]
  for (const [a, b] of [...commonLines(server, client), [server.length, client.length] as const]) {
    for (; one < a || two < b; one++, two++)
      rows.push(changedRow(server, client, one < a ? one : -1, two < b ? two : -1))
    if (a < server.length && b < client.length) rows.push(sameRow(server, a, b))
    one = a + 1
    two = b + 1
  }
  return rows
}

/** The longest common subsequence. Fragments are short, so the table is small. */
function commonLines(server: readonly string[], client: readonly string[]): [number, number][] {
  const width = client.length + 1
  const best = new Uint16Array((server.length + 1) * width)
  const at = (one: number, two: number): number => best[one * width + two] ?? 0
  for (let one = server.length - 1; one >= 0; one--)
    for (let two = client.length - 1; two >= 0; two--)
      best[one * width + two] =
        server[one] === client[two] ? at(one + 1, two + 1) + 1 : Math.max(at(one + 1, two), at(one, two + 1))
  const pairs: [number, number][] = []
  for (let one = 0, two = 0; one < server.length && two < client.length; ) {
    if (server[one] === client[two]) pairs.push([one++, two++])
    else if (at(one + 1, two) >= at(one, two + 1)) one++
    else two++
  }
  return pairs
}

const whole = (number: number, text: string): DiffLine => ({ number, before: text, changed: '', after: '' })

const sameRow = (server: readonly string[], one: number, two: number): DiffRow => ({
  server: whole(one + 1, server[one] ?? ''),
  client: whole(two + 1, server[one] ?? ''),
  isChanged: false,
})

function changedRow(server: readonly string[], client: readonly string[], one: number, two: number): DiffRow {
  const [a, b] = [server[one] ?? null, client[two] ?? null]
  const [start, end] = a === null || b === null ? [0, 0] : sharedEnds(a, b)
  const cut = (text: string | null, at: number): DiffLine | null =>
    text === null
      ? null
      : {
          number: at + 1,
          before: text.slice(0, start),
          changed: text.slice(start, text.length - end),
          after: text.slice(text.length - end),
        }
  return { server: cut(a, one), client: cut(b, two), isChanged: true }
}

function sharedEnds(a: string, b: string): [number, number] {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return [start, end]
}

const maxLines = 120 // the hydration helper sends less; longer fragments are hostile
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i
const piece = /<!--[\s\S]{0,200}?-->|<\/?[a-z][^<>]*>|[^<]+|</gi

/** Formats HTML as indented lines. An element with only a short text stays on one line. */
export function formatHtml(html: string): string[] {
  const lines: string[] = []
  let depth = 0
  let isOpen = false // whether text and closing tag may join the last line
  const put = (text: string): void => {
    lines.push('  '.repeat(Math.min(depth, 20)) + text)
  }
  for (const [raw] of html.matchAll(piece)) {
    if (lines.length >= maxLines) break
    const text = raw.replace(/\s+/g, ' ').trim()
    if (text === '' || text.startsWith('<!--')) continue
    const name = /^<(\/?)([a-z][\w-]*)/i.exec(text)
    if (name === null) {
      if (isOpen && text.length < 80) lines[lines.length - 1] += text
      else put(text)
      continue
    }
    if (name[1] === '/') {
      depth = Math.max(0, depth - 1)
      if (isOpen) lines[lines.length - 1] += text
      else put(text)
      isOpen = false
      continue
    }
    put(text)
    isOpen = !empty.test(name[2] ?? '') && !text.endsWith('/>')
    if (isOpen) depth++
  }
  return lines
}
