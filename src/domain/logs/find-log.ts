import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheSettled } from '#domain/cache/cached-query.ts'
import { plainUuid, spanIdOf } from '#domain/events/read-columns.ts'
import { haveSent } from '#domain/events/sent-kinds.ts'
import type { ListedError } from '#domain/traces/list-errors.ts'
import { listTraceErrors } from '#domain/traces/trace-errors.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { type LineAddress, type LogLine, lineColumns, lineRow } from './log-line.ts'

const none = /^[0-]*$/

/** No name of `lineRow` again: both would have to be equal. */
const rest = z.object({
  whole: z.string(),
  template: z.string(),
  span_id: z.string().transform(spanIdOf),
  replay: z.string(),
  environment: z.string(),
  release: z.string(),
  origin: z.string(),
  user_id: z.string(),
  sdk: z.string(),
  received: z.coerce.number(),
  attributes: z.record(z.string(), z.string()),
  numbers: z.record(z.string(), z.number()),
})

/** One line with everything that is stored of it. */
export type LogDetails = Omit<LogLine, 'body' | 'chars'> & {
  body: string
  template: string
  spanId: string
  /** '' without a replay. */
  replayId: string
  environment: string
  release: string
  origin: string
  userId: string
  sdk: string
  receivedAt: number
  attributes: Record<string, string>
  numbers: Record<string, number>
}

export async function findLog(viewer: Viewer, { atUs, id }: LineAddress): Promise<LogDetails | null> {
  const [found] = await viewer.telemetry.query({
    query: `
      SELECT ${lineColumns}, body AS whole, template, span_id, toString(replay_id) AS replay, environment, release, origin, user_id,
        concat(sdk_name, ' ', sdk_version) AS sdk, toUnixTimestamp64Milli(received_at) AS received, attributes, numbers
      FROM logs WHERE {scope} AND timestamp = fromUnixTimestamp64Micro({atUs:Int64}) AND log_id = {id:UUID}
      LIMIT 1`,
    params: { atUs, id: asUuid(id) },
    schema: lineRow.and(rest),
  })
  if (!found) return null
  const { whole: body, span_id: spanId, replay, user_id: userId, sdk, received: receivedAt, chars: _, ...line } = found
  return {
    ...line,
    body,
    spanId,
    replayId: none.test(replay) ? '' : plainUuid(replay),
    userId,
    sdk: sdk.trim(),
    receivedAt,
  }
}

/** Where the lines around a line come from: the same host, the same trace, or the whole project. */
export const contextKinds = ['host', 'trace', 'project'] as const
export type ContextKind = (typeof contextKinds)[number]

/** The kinds that a line has; the first is the one that tells most. */
export const contextKindsOf = ({ serverName, traceId }: Pick<LogLine, 'serverName' | 'traceId'>): ContextKind[] => [
  ...(serverName === '' ? [] : ['host' as const]),
  ...(traceId === '' ? [] : ['trace' as const]),
  'project',
]

type ContextOf = Pick<LogLine, 'projectId' | 'atUs' | 'sequence' | 'id' | 'serverName' | 'traceId'>
type Context = { before: LogLine[]; after: LogLine[] }

const aroundMs = 10 * 60_000
const traceAroundMs = 24 * 3_600_000

const sources: Record<ContextKind, string> = {
  host: 'server_name = {serverName:String}',
  trace: 'trace_id = {traceId:UUID}',
  project: '1',
}

/** The lines just before and after a line, whatever a search would find of them; oldest first. A trace may cross projects. */
export async function listContext(viewer: Viewer, line: ContextOf, kind: ContextKind, limit: number): Promise<Context> {
  const windowMs = kind === 'trace' ? traceAroundMs : aroundMs
  const scope = viewer.telemetry.within(kind === 'trace' ? undefined : [line.projectId])
  const read = (isBefore: boolean): Promise<LogLine[]> =>
    scope.query({
      query: `
        SELECT ${lineColumns} FROM logs
        WHERE {scope} AND timestamp >= fromUnixTimestamp64Micro({from:Int64}) AND timestamp <= fromUnixTimestamp64Micro({to:Int64})
          AND ${sources[kind]}
          AND (timestamp, sequence, log_id) ${isBefore ? '<' : '>'} (fromUnixTimestamp64Micro({atUs:Int64}), {sequence:UInt32}, {id:UUID})
        ORDER BY timestamp ${isBefore ? 'DESC' : 'ASC'}, sequence ${isBefore ? 'DESC' : 'ASC'}, log_id ${isBefore ? 'DESC' : 'ASC'}
        LIMIT {limit:UInt32}`,
      params: {
        from: isBefore ? line.atUs - windowMs * 1_000 : line.atUs,
        to: isBefore ? line.atUs : line.atUs + windowMs * 1_000,
        atUs: line.atUs,
        sequence: line.sequence,
        id: asUuid(line.id),
        serverName: line.serverName,
        traceId: asUuid(line.traceId || '0'.repeat(32)),
        limit,
      },
      schema: lineRow,
    })
  const [before, after] = await Promise.all([read(true), read(false)])
  return { before: before.reverse(), after }
}

/** The errors of the line's trace: what else went wrong in the same request. */
export const listLineErrors = async (
  viewer: Viewer,
  { traceId, atUs }: Pick<LogLine, 'traceId' | 'atUs'>,
): Promise<ListedError[]> => (traceId === '' ? [] : listTraceErrors(viewer, traceId, atUs / 1_000))

/** The lines of a trace around a time, oldest first: as many before it as after it. One query, because each costs more than its rows. */
export async function listTraceLines(
  viewer: Viewer,
  { traceId, at, limit }: { traceId: string; at: number; limit: number },
): Promise<LogLine[]> {
  const lines = await viewer.telemetry.query({
    query: `
      SELECT ${lineColumns} FROM logs
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Micro({from:Int64}) AND timestamp <= fromUnixTimestamp64Micro({to:Int64})
        AND trace_id = {traceId:UUID}
      ORDER BY abs(toUnixTimestamp64Micro(timestamp) - {atUs:Int64}), if(timestamp < fromUnixTimestamp64Micro({atUs:Int64}), -sequence, sequence)
      LIMIT {limit:UInt32} BY timestamp < fromUnixTimestamp64Micro({atUs:Int64})
      LIMIT {most:UInt32}`,
    params: {
      from: Math.round((at - traceAroundMs) * 1_000),
      to: Math.round((at + traceAroundMs) * 1_000),
      atUs: Math.round(at * 1_000),
      traceId: asUuid(traceId),
      limit,
      most: 2 * limit,
    },
    schema: lineRow,
  })
  return lines.sort((a, b) => a.atUs - b.atUs || a.sequence - b.sequence)
}

const linesAround = 10

/** What the request of an event wrote to the log before and after it, cached for the parts of one page; nothing without a trace. */
export async function listEventLines(
  viewer: Viewer,
  { trace_id, timestamp: at }: { trace_id: string; timestamp: number },
): Promise<LogLine[]> {
  if (none.test(trace_id) || !(await haveSent(viewer, 'logs'))) return []
  const traceId = plainUuid(trace_id)
  return cacheSettled(viewer, { name: ['event lines', traceId], at }, () =>
    listTraceLines(viewer, { traceId, at, limit: linesAround }),
  )
}
