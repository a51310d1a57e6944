/** Encodes a column in the Native format: all its values in sequence. A missing value becomes the default of the type. */
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
import { type ColumnType, UnfitValue } from './column-type.ts'

type PutColumn = (bytes: Bytes, values: readonly unknown[]) => void

export function putColumn(bytes: Bytes, type: ColumnType, values: readonly unknown[]): void {
  columns[type](bytes, values)
}

const each =
  (put: (bytes: Bytes, value: unknown) => void): PutColumn =>
  (bytes, values) => {
    for (const value of values) put(bytes, value)
  }

const whole = (type: string, max: number, put: (bytes: Bytes, value: number) => void): PutColumn =>
  each((bytes, value) => put(bytes, wholeOf(value, type, 0, max)))

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
    putDictionaryVersion(bytes)
    putDictionary(bytes, values.map(textOf))
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

function wholeOf(value: unknown, type: string, min: number, max: number): number {
  if (value === null || value === undefined) return 0
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw new UnfitValue(type, value)
  return value
}

/** NaN and infinities become 0: they would spoil sums. */
const floatOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  throw new UnfitValue('String', value)
}

const maxUInt64 = 2n ** 64n - 1n

/** Span ids are decimal text, since a JavaScript number cannot hold them. */
function putUInt64(bytes: Bytes, value: unknown): void {
  if (value === '0') putInt64(bytes, 0)
  else if (typeof value === 'string') putBigUInt64(bytes, bigOf(value))
  else putInt64(bytes, wholeOf(value, 'UInt64', 0, Number.MAX_SAFE_INTEGER))
}

function bigOf(value: string): bigint {
  const number = /^\d{1,20}$/.test(value) ? BigInt(value) : undefined
  if (number === undefined || number > maxUInt64) throw new UnfitValue('UInt64', value)
  return number
}

const hashBytes = 32

/** A hash is 32 hex digits; a shorter text is padded with zero bytes. */
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

/** Like arrays of pairs: the end offsets, then all keys, then all values. */
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
  putDictionaryVersion(bytes)
  for (const end of ends) putInt64(bytes, end)
  putDictionary(bytes, keys)
  for (const value of kept) putOne(value)
}

const halfDigits = 16
const digitsOfWord = 8
const hexDigits = /^[0-9a-f]{32}$/i

/** A UUID is two 64-bit numbers, the higher one first. */
function putId(bytes: Bytes, id: string): void {
  const digits = id.length === 2 * halfDigits ? id : id.replaceAll('-', '')
  if (!hexDigits.test(digits)) throw new UnfitValue('UUID', id)
  for (const from of [0, halfDigits]) {
    putUInt32(bytes, readWord(digits, from + digitsOfWord))
    putUInt32(bytes, readWord(digits, from))
  }
}

function readWord(digits: string, from: number): number {
  let word = 0
  for (let index = from; index < from + digitsOfWord; index++) {
    const code = digits.charCodeAt(index)
    // '0' is 48; the low bits of 'a' to 'f' and 'A' to 'F' are 1 to 6.
    word = (word << 4) | (code < 58 ? code - 48 : (code & 7) + 9)
  }
  return word >>> 0
}

/** The only version of the format: each block has its own dictionary. */
const dictionaryVersion = 1
const hasOwnDictionary = 1 << 9

const putDictionaryVersion = (bytes: Bytes): void => putInt64(bytes, dictionaryVersion)

/** LowCardinality: the dictionary, then the index of each value, in as many bytes as the largest index needs. */
function putDictionary(bytes: Bytes, values: readonly string[]): void {
  if (values.length === 0) return
  const numbers = new Map<string, number>()
  const chosen = new Uint32Array(values.length)
  let last = ''
  let lastNumber = -1
  for (const [index, value] of values.entries()) {
    if (lastNumber < 0 || value !== last) {
      last = value
      lastNumber = numbers.get(value) ?? numbers.size
      if (lastNumber === numbers.size) numbers.set(value, lastNumber)
    }
    chosen[index] = lastNumber
  }
  const width = numbers.size <= 0x100 ? 0 : numbers.size <= 0x1_0000 ? 1 : 2
  const put = [putUInt8, putUInt16, putUInt32][width] ?? putUInt32
  putInt64(bytes, width | hasOwnDictionary)
  putInt64(bytes, numbers.size)
  for (const word of numbers.keys()) putText(bytes, word)
  putInt64(bytes, values.length)
  for (const number of chosen) put(bytes, number)
}
