/** The types of the telemetry tables' columns, as the engine writes them. */
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

/** A value that its column cannot hold: digest let something through that it should not have. */
export class UnfitValue extends Error {
  constructor(type: string, value: unknown) {
    super(`${String(value).slice(0, 100)} is no ${type}`)
  }
}
