/** A line on its way to those who watch the logs live: as much as a row of the list and a search need. */
import { clipText } from '#lib/text.ts'
import { logSide } from '#react/side.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import type { ListedLine } from '../list-logs.ts'
import { shownChars } from '../log-line.ts'
import { fieldText, type MatchedLine } from '../match-line.ts'

export type TailLine = MatchedLine & { id: string; sequence: number; chars: number }
/** The lines of one committed batch of an inbox. `dropped` are those above the limits below. */
export type TailBatch = { inboxId: string; batch: number; receivedAt: number; lines: TailLine[]; dropped: number }

/** What a search can see of a line. The rest of it is found once it is stored. */
const bodyChars = 4_000
const valueChars = 500
const attributes = 100
/** Of one batch: more would keep the processes busy that pass them on. */
const maxLines = 10_000
const maxChars = 8_000_000

/** 64 bits in decimal as 16 hex digits. */
const hex = (decimal: string): string => BigInt(decimal).toString(16).padStart(16, '0')

export function tailBatch(
  { inboxId, batch, receivedAt }: Omit<TailBatch, 'lines' | 'dropped'>,
  rows: readonly LogRow[],
): TailBatch {
  const lines: TailLine[] = []
  let chars = 0
  for (const row of rows) {
    if (lines.length >= maxLines || chars > maxChars) break
    const line = tailLine(row)
    chars += sizeOf(line)
    lines.push(line)
  }
  return { inboxId, batch, receivedAt, lines, dropped: rows.length - lines.length }
}

const sizeOf = ({ body, attributes: own }: TailLine): number =>
  Object.entries(own).reduce((sum, [name, value]) => sum + name.length + value.length, body.length + 200)

const tailLine = (row: LogRow): TailLine => ({
  id: row.log_id.replaceAll('-', ''),
  projectId: row.project_id,
  atUs: row.timestamp,
  sequence: row.sequence,
  level: row.level,
  body: clipText(row.body, bodyChars),
  chars: row.body.length,
  template: clipText(row.template, bodyChars),
  traceId: row.trace_id.replaceAll('-', ''),
  spanId: hex(row.span_id),
  replayId: row.replay_id.replaceAll('-', ''),
  pattern: hex(row.pattern),
  route: row.route,
  release: row.release,
  environment: row.environment,
  serverName: row.server_name,
  userId: row.user_id,
  hasUser: row.user_hash !== '0',
  origin: row.origin,
  sdkName: row.sdk_name,
  sdkVersion: row.sdk_version,
  attributes: clipped(row.attributes, value => clipText(value, valueChars)),
  numbers: clipped(row.numbers, value => value),
})

const clipped = <Value>(map: Readonly<Record<string, Value>>, clip: (value: Value) => Value): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(map)
      .slice(0, attributes)
      .map(([name, value]) => [name, clip(value)]),
  )

const none = /^0*$/

/** As a list shows it, which counts characters and not halves of them. */
export function listedLine(line: TailLine, columns: readonly string[]): ListedLine {
  const characters = [...line.body]
  return {
    id: line.id,
    projectId: line.projectId,
    atUs: line.atUs,
    sequence: line.sequence,
    level: line.level,
    body: characters.slice(0, shownChars).join(''),
    chars: line.chars > line.body.length ? line.chars : characters.length,
    traceId: none.test(line.traceId) ? '' : line.traceId,
    route: line.route,
    serverName: line.serverName,
    side: logSide(line),
    cells: columns.map(key => fieldText(line, key)),
  }
}
