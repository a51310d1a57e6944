import { projectIds, type Viewer } from '#domain/access/viewer.ts'

const dayMs = 86_400_000
/** What the tables can hold: timestamps of 64 bits end in 2299. */
const allTime = { from: 0, to: Date.UTC(2299, 0) }

/** All that a trace left in one table, of the viewer's projects only. */
export const traceScope = `project_id IN {projectIds:Array(UInt64)} AND trace_id = {traceId:UUID}
  AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})`

/**
 * A trace is a moment, but its address does not say which: a filter on the id then finds it among all days. Whoever knows of a
 * moment in it (milliseconds) is spared that: what happened more than a day from there is not looked for.
 */
export const traceParams = (viewer: Viewer, traceId: string, near?: number) => ({
  projectIds: projectIds(viewer),
  traceId: asUuid(traceId),
  ...(near === undefined ? allTime : { from: Math.floor(near) - dayMs, to: Math.ceil(near) + dayMs }),
})

/** As an address or a header writes it: 32 hex digits, with or without hyphens. Null where it is nothing of the kind. */
export function readTraceId(text: string): string | null {
  const digits = text.replaceAll('-', '').toLowerCase()
  return /^(?!0{32})[0-9a-f]{32}$/.test(digits) ? digits : null
}

/** As ClickHouse reads a UUID. */
export const asUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** 16 digits of a span's id: `hex` alone leaves out leading zeros. */
export const spanIdSql = (column: string): string => `if(${column} = 0, '', leftPad(lower(hex(${column})), 16, '0'))`
