import { type Bytes, putUInt32 } from './bytes.ts'
import { UnfitValue } from './unfit-value.ts'

const halfDigits = 16
const digitsOfWord = 8
const hexDigits = /^[0-9a-f]{32}$/i

/** 32 hex digits as the engine keeps a UUID: two numbers of 64 bits, the higher one first. */
export function putId(bytes: Bytes, id: string): void {
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
    // 0 to 9 are the codes from 48 on, a to f and A to F end in 1 to 6.
    word = (word << 4) | (code < 58 ? code - 48 : (code & 7) + 9)
  }
  return word >>> 0
}
