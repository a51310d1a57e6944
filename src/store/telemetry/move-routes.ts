/** Gives stored rows another route: digest learns some routes only after the rows were written. */
import { z } from 'zod'
import { mutate } from './delete-rows.ts'
import { onEveryNode, type TableLayout } from './table-layout.ts'
import type { Telemetry } from './telemetry.ts'

/** The row of a span or an event. */
type Move = { project_id: number; trace_id: string; id: string; at: number; route: string }
type Store = { telemetry: Telemetry; layout: TableLayout }

/** Spans of a segment may begin before it, by the browser's clock. */
const segmentMs = 3_600_000

/** A span that names a page by itself has its own move. All others move with their segment. */
const spanKey = `concat(toString(trace_id), toString(if(is_segment OR startsWith(op, 'ui.interaction') OR startsWith(op, 'ui.webvital'), span_id, segment_id)))`

export async function moveSpans(store: Store, moves: readonly Move[]): Promise<void> {
  const where = [
    inProjects(moves),
    between(moves, segmentMs),
    `trace_id IN (${unique(moves.map(({ trace_id }) => `'${asUuid(trace_id)}'`))})`,
  ].join(' AND ')
  const keys = moves.map(({ trace_id, id }) => `'${asUuid(trace_id)}${BigInt(id)}'`)
  await rewrite(store, 'spans', where, [`route = ${routeByKey(spanKey, keys, moves)}`])
}

export async function moveEvents(store: Store, moves: readonly Move[]): Promise<void> {
  const ids = moves.map(({ id }) => `'${asUuid(id)}'`)
  const where = [inProjects(moves), between(moves, 1_000), `event_id IN (${unique(ids)})`].join(' AND ')
  const route = routeByKey('toString(event_id)', ids, moves)
  await rewrite(store, 'event_index', where, [`route = ${route}`])
  // A culprit that is only a path becomes the route, as in digest.
  const isPath = `culprit != '' AND culprit IN (route_raw, toString(route)) AND ${route} != '(unmatched)'`
  await rewrite(store, 'events', where, [`route = ${route}`, `culprit = if(${isPath}, ${route}, culprit)`])
}

const partition = z.object({ id: z.string() })

/** Only in partitions that have such rows: elsewhere, the engine would make a copy of each part. */
async function rewrite(
  { telemetry, layout }: Store,
  table: 'spans' | 'events' | 'event_index',
  where: string,
  changes: readonly string[],
): Promise<void> {
  const found = await telemetry.query({
    query: `SELECT DISTINCT _partition_id AS id FROM ${table} WHERE ${where}`,
    schema: partition,
  })
  for (const { id } of found)
    await mutate(
      telemetry,
      layout,
      table,
      `ALTER TABLE ${onEveryNode(layout, table)} UPDATE ${changes.join(', ')} IN PARTITION ID ${quote(id)} WHERE ${where}`,
    )
}

const unique = (literals: readonly string[]): string => [...new Set(literals)].join(', ')
const inProjects = (moves: readonly Move[]): string =>
  `project_id IN (${unique(moves.map(({ project_id }) => `${project_id}`))})`

function between(moves: readonly Move[], aroundMs: number): string {
  const times = moves.map(({ at }) => at)
  const at = (ms: number): string => `fromUnixTimestamp64Milli(${Math.max(0, Math.floor(ms))})`
  return `timestamp >= ${at(Math.min(...times) - aroundMs)} AND timestamp <= ${at(Math.max(...times) + aroundMs)}`
}

const routeByKey = (key: string, keys: readonly string[], moves: readonly Move[]): string =>
  `transform(${key}, [${keys.join(', ')}], [${moves.map(({ route }) => quote(route)).join(', ')}], toString(route))`

const asUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** A mutation takes no bound parameters, and a route is whatever an app sends: so its bytes are written as hex digits. */
const quote = (text: string): string => `'${Buffer.from(text).toString('hex').replace(/../g, '\\x$&')}'`
