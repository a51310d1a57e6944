/** One column in the engine's own format: all values of it, one after the other. What is missing becomes the type's nothing. */
import {
  type Bytes,
  putBigUInt64,
  putFloat32,
  putFloat64,
  putInt64,
  putText,
  putUInt8,
  putUInt16,
  putUInt32,
} from './bytes.ts'
import type { ColumnType } from './column-type.ts'
import { putId } from './put-id.ts'
import { putWords, putWordsVersion } from './put-words.ts'
import { UnfitValue } from './unfit-value.ts'

type PutColumn = (bytes: Bytes, values: readonly unknown[]) => void

export function putColumn(bytes: Bytes, type: ColumnType, values: readonly unknown[]): void {
  columns[type](bytes, values)
}

const each =
  (put: (bytes: Bytes, value: unknown) => void): PutColumn =>
  (bytes, values) => {
    for (const value of values) put(bytes, value)
  }

const whole = (type: string, most: number, put: (bytes: Bytes, value: number) => void): PutColumn =>
  each((bytes, value) => put(bytes, wholeOf(value, type, 0, most)))

const time: PutColumn = each((bytes, value) =>
  putInt64(bytes, wholeOf(value, 'time', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
)

const columns: { readonly [Type in ColumnType]: PutColumn } = {
  Bool: each((bytes, value) => putUInt8(bytes, value ? 1 : 0)),
  UInt8: whole('UInt8', 0xff, putUInt8),
  UInt16: whole('UInt16', 0xffff, putUInt16),
  UInt32: whole('UInt32', 0xffff_ffff, putUInt32),
  UInt64: each(putUInt64),
  Float32: each((bytes, value) => putFloat32(bytes, floatOf(value))),
  Float64: each((bytes, value) => putFloat64(bytes, floatOf(value))),
  "DateTime('UTC')": whole('DateTime', 0xffff_ffff, putUInt32),
  "DateTime64(3, 'UTC')": time,
  "DateTime64(6, 'UTC')": time,
  UUID: each((bytes, value) => putId(bytes, textOf(value))),
  'FixedString(32)': each(putHash),
  String: each((bytes, value) => putText(bytes, textOf(value))),
  'LowCardinality(String)': (bytes, values) => {
    putWordsVersion(bytes)
    putWords(bytes, values.map(textOf))
  },
  'Map(LowCardinality(String), String)': (bytes, values) =>
    putMaps(bytes, values, value => putText(bytes, textOf(value))),
  'Map(LowCardinality(String), Float64)': (bytes, values) =>
    putMaps(bytes, values, value => putFloat64(bytes, floatOf(value))),
  'Array(String)': (bytes, values) => putLists(bytes, values, value => putText(bytes, textOf(value))),
  'Array(UInt16)': (bytes, values) =>
    putLists(bytes, values, value => putUInt16(bytes, wholeOf(value, 'UInt16', 0, 0xffff))),
  'Array(Float64)': (bytes, values) => putLists(bytes, values, value => putFloat64(bytes, floatOf(value))),
}

function wholeOf(value: unknown, type: string, least: number, most: number): number {
  if (value === null || value === undefined) return 0
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw new UnfitValue(type, value)
  return value
}

/** JSON has no words for what is no number, and neither has a sum any use for it. */
const floatOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  throw new UnfitValue('String', value)
}

const most64 = 2n ** 64n - 1n

/** Ids of spans are decimal text, since a number of JavaScript cannot hold them. */
function putUInt64(bytes: Bytes, value: unknown): void {
  if (value === '0') putInt64(bytes, 0)
  else if (typeof value === 'string') putBigUInt64(bytes, bigOf(value))
  else putInt64(bytes, wholeOf(value, 'UInt64', 0, Number.MAX_SAFE_INTEGER))
}

function bigOf(value: string): bigint {
  const number = /^\d{1,20}$/.test(value) ? BigInt(value) : undefined
  if (number === undefined || number > most64) throw new UnfitValue('UInt64', value)
  return number
}

const hashBytes = 32

/** A hash is 32 hex digits as text; none at all is filled with zeroes. */
function putHash(bytes: Bytes, value: unknown): void {
  const text = textOf(value)
  if (text.length > hashBytes) throw new UnfitValue('FixedString(32)', value)
  for (let index = 0; index < hashBytes; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 0
    if (code > 0x7f) throw new UnfitValue('FixedString(32)', value)
    putUInt8(bytes, code)
  }
}

function putLists(bytes: Bytes, values: readonly unknown[], putOne: (value: unknown) => void): void {
  const lists = values.map(value => (Array.isArray(value) ? (value as unknown[]) : []))
  let end = 0
  for (const list of lists) putInt64(bytes, (end += list.length))
  for (const list of lists) for (const value of list) putOne(value)
}

/** As lists of pairs: where each ends, then all keys, then all values. */
function putMaps(bytes: Bytes, values: readonly unknown[], putOne: (value: unknown) => void): void {
  const keys: string[] = []
  const kept: unknown[] = []
  const ends: number[] = []
  for (const map of values as readonly (Record<string, unknown> | null | undefined)[]) {
    for (const key in map) {
      keys.push(key)
      kept.push(map[key])
    }
    ends.push(keys.length)
  }
  putWordsVersion(bytes)
  for (const end of ends) putInt64(bytes, end)
  putWords(bytes, keys)
  for (const value of kept) putOne(value)
}
