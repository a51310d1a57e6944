import { type Bytes, putInt64, putText, putUInt8, putUInt16, putUInt32 } from './bytes.ts'

/** The only version there is: each block brings the words that it uses. */
const dictionaryVersion = 1
const bringsItsWords = 1 << 9

export const putWordsVersion = (bytes: Bytes): void => putInt64(bytes, dictionaryVersion)

/** LowCardinality: each word once, and then for each value the number of its word, in as many bytes as the last one needs. */
export function putWords(bytes: Bytes, values: readonly string[]): void {
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
  putInt64(bytes, width | bringsItsWords)
  putInt64(bytes, numbers.size)
  for (const word of numbers.keys()) putText(bytes, word)
  putInt64(bytes, values.length)
  for (const number of chosen) put(bytes, number)
}
