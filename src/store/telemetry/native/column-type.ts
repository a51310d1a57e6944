/** The column types of the telemetry tables, as ClickHouse spells them. */
export type ColumnType =
  | 'Bool'
  | 'UInt8'
  | 'UInt16'
  | 'UInt32'
  | 'UInt64'
  | 'Float32'
  | 'Float64'
  | "DateTime('UTC')"
  | "DateTime64(3, 'UTC')"
  | "DateTime64(6, 'UTC')"
  | 'UUID'
  | 'FixedString(32)'
  | 'String'
  | 'LowCardinality(String)'
  | 'Map(LowCardinality(String), String)'
  | 'Map(LowCardinality(String), Float64)'
  | 'Array(String)'
  | 'Array(UInt16)'
  | 'Array(Float64)'

/** A value that does not fit its column: a bug in digest. */
export class UnfitValue extends Error {
  constructor(type: string, value: unknown) {
    super(`${String(value).slice(0, 100)} is not a valid ${type}`)
  }
}
