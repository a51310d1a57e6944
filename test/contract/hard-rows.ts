/** Rows that hold the largest, the smallest and the oddest value of each column. */
import type { ColumnType } from '#store/telemetry/native/column-type.ts'
import type { TableName } from '#store/telemetry/rows.ts'
import { rowColumns } from '#store/telemetry/tables.ts'

/** More than one byte can number, so that words are counted in two. */
const rowCount = 300

const texts = [
  '',
  'plain',
  'ü'.repeat(100),
  '漢字 🚒 \u0000 \t\n\r"\'\\',
  'x'.repeat(127),
  'y'.repeat(128),
  'ö'.repeat(8_200),
  'z'.repeat(20_000),
]
const times = [0, 1_794_744_000_000, 1_794_744_000_123]
const textOf = (index: number): string => texts[index % texts.length] ?? ''
const wordOf = (index: number): string => (index % 3 === 0 ? '' : `word ${index}`)
const floatOf = (index: number): number => [0, 1, -1.5, 0.125, 2 ** 52][index % 5] ?? 0 // what text says exactly

const values: { readonly [Type in ColumnType]: (index: number) => unknown } = {
  Bool: index => index % 2 === 0,
  UInt8: index => [0, 255, 7][index % 3],
  UInt16: index => [0, 65_535, 30][index % 3],
  UInt32: index => [0, 4_294_967_295, 12][index % 3],
  UInt64: index => [0, '18446744073709551615', '9223372036854775808', Number.MAX_SAFE_INTEGER, '0', 42][index % 6],
  Float32: index => [0, 1, 0.25, -1.5][index % 4],
  Float64: floatOf,
  "DateTime('UTC')": index => [0, 1_794_744_000, 4_294_967_295][index % 3],
  "DateTime64(3, 'UTC')": index => times[index % times.length],
  "DateTime64(6, 'UTC')": index => (times[index % times.length] ?? 0) * 1_000 + (index % 2 === 0 ? 0 : 7),
  UUID: index =>
    ['0'.repeat(32), 'f'.repeat(32), '0123456789abcdef0123456789abcdef', 'deadbeef00000000cafe000000000001'][index % 4],
  'FixedString(32)': index => ['0'.repeat(32), '0123456789abcdef0123456789abcdef'][index % 2],
  String: textOf,
  'LowCardinality(String)': wordOf,
  'Map(LowCardinality(String), String)': index =>
    index % 4 === 0
      ? {}
      : Object.fromEntries([
          [wordOf(index), textOf(index)],
          ['same', `${index}`],
        ]),
  'Map(LowCardinality(String), Float64)': index =>
    index % 4 === 0 ? {} : { [wordOf(index)]: floatOf(index), same: index },
  'Array(String)': index => texts.slice(0, index % 4),
  'Array(UInt16)': index => [0, 65_535, 1].slice(0, index % 4),
  'Array(Float64)': index => [floatOf(index), 1].slice(0, index % 3),
}

export function hardRows(table: TableName): Record<string, unknown>[] {
  const columns = rowColumns(table)
  return Array.from({ length: rowCount }, (_, index) =>
    Object.fromEntries(columns.map(([name, { type }], at) => [name, values[type](index + at)])),
  )
}
