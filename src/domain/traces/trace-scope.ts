const dayMs = 86_400_000
/** DateTime64 ends in 2299. */
const allTime = { from: 0, to: Date.UTC(2299, 0) }

/** A WHERE clause for all rows of a trace in the viewer's projects. */
export const traceScope = `{scope} AND trace_id = {traceId:UUID}
  AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})`

/**
 * A URL does not say when a trace happened, so by default all days are searched with the index on the id. With a known time in
 * milliseconds only one day before and after is searched.
 */
export const traceParams = (traceId: string, near?: number) => ({
  traceId: asUuid(traceId),
  ...(near === undefined ? allTime : { from: Math.floor(near) - dayMs, to: Math.ceil(near) + dayMs }),
})

/** 32 hex digits, with or without hyphens; null for anything else. */
export function readTraceId(text: string): string | null {
  const digits = text.replaceAll('-', '').toLowerCase()
  return /^(?!0{32})[0-9a-f]{32}$/.test(digits) ? digits : null
}

/** With hyphens, as ClickHouse reads a UUID. */
export const asUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** 16 digits: `hex` alone omits leading zeros. */
export const spanIdSql = (column: string): string => `if(${column} = 0, '', leftPad(lower(hex(${column})), 16, '0'))`
