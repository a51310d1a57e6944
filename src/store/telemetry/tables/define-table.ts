/** What a telemetry table is: its columns and everything else that its DDL needs (`create-table.ts`). */
import type { ColumnType } from '../native/column-type.ts'

/** A column, and the type of its values in TypeScript. Its codec and default stand in the DDL only. */
export type Column<Value = unknown, Type = ColumnType> = {
  readonly type: Type
  readonly codec?: string
  readonly default?: number
  readonly value?: Value
}

export type TableStorage = {
  readonly orderBy: readonly string[]
  /** Of rows with the same order key, the one with the highest value of this column stays. */
  readonly replacedBy?: string
  /** Index name to column: tells in which granules a value cannot be. */
  readonly bloomFilters?: Readonly<Record<string, string>>
  /** Index name to expression: tells in which granules a word cannot be. `hasToken` of the same expression uses it. */
  readonly wordIndexes?: Readonly<Record<string, string>>
  /** Sums that are stored in each part beside its rows, by name. */
  readonly projections?: Readonly<Record<string, string>>
  /** Besides those that all tables have, or instead of them (`table-layout.ts`). */
  readonly settings?: Readonly<Record<string, number>>
}

/** A table that digest writes, in partitions by `day` and retention: retention drops whole partitions, which frees the disk at once. */
export type WrittenTable = TableStorage & {
  /** In the order of the DDL. `batch_id` is added by the writer. */
  readonly columns: Readonly<Record<string, Column>>
  /** The time column whose day, or the Monday of its week, is the partition. */
  readonly day: { readonly column: string; readonly isWeekly?: true }
}

/** A table without partitions, which is written row by row as JSON. */
export type StateTable = TableStorage & {
  readonly columns: Readonly<Record<string, Column<unknown, ColumnType | 'Int64'>>>
}

const column = <Value>(type: ColumnType, ddl: { codec?: string; default?: number } = {}): Column<Value> => ({
  type,
  ...ddl,
})

const zstd = { codec: 'ZSTD(1)' }
const ordered = { codec: 'Delta, ZSTD(1)' }

/** Times are integers: `millis`, `micros` or `seconds` since 1970. */
export const millis = column<number>("DateTime64(3, 'UTC')", ordered)
export const micros = column<number>("DateTime64(6, 'UTC')", ordered)
export const seconds = column<number>("DateTime('UTC')")
export const text = column<string>('String', zstd)
/** Long JSON, which is read for one row at a time. */
export const document = column<string>('String', { codec: 'ZSTD(3)' })
export const word = column<string>('LowCardinality(String)')
export const texts = column<Record<string, string>>('Map(LowCardinality(String), String)', zstd)
export const numbers = column<Record<string, number>>('Map(LowCardinality(String), Float64)', zstd)
export const textList = column<string[]>('Array(String)', zstd)
export const uint16List = column<number[]>('Array(UInt16)', zstd)
export const float64List = column<number[]>('Array(Float64)', zstd)
export const flag = column<boolean>('Bool')
export const uint8 = column<number>('UInt8')
export const uint16 = column<number>('UInt16')
export const uint32 = column<number>('UInt32')
export const uint64 = column<number>('UInt64')
export const float64 = column<number>('Float64')
export const float32 = column<number>('Float32')
/** 1 unless something was sampled. */
export const rate = { ...float32, default: 1 }
/** 64 bits as a decimal string, because a JavaScript number cannot hold them: span ids, user hashes. '0' means none. */
export const id64 = column<string>('UInt64')
/** 32 lowercase hex digits; `noId` means none. */
export const uuid = column<string>('UUID')
export const hash = column<string>('FixedString(32)', zstd)

/** What tells one row of a batch from another time it is sent: see `write-batch.ts`. */
export const batchIndex = { batch_bloom: 'batch_id' } as const
export const received = { received_at: millis, retention_days: uint16, weight: rate } as const

const ticksPerSecond: Partial<Record<ColumnType, number>> = {
  "DateTime('UTC')": 1,
  "DateTime64(3, 'UTC')": 1_000,
  "DateTime64(6, 'UTC')": 1_000_000,
}

/** How many units of a time column are a second. */
export function ticksOf({ type }: Column): number {
  const ticks = ticksPerSecond[type]
  if (ticks === undefined) throw new Error(`${type} is not a time`)
  return ticks
}
