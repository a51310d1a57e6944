/**
 * One spelling for each IP address. A server that listens on both versions sees `127.0.0.1` as `::ffff:127.0.0.1`, and a browser's version 6
 * may come with or without zeros.
 */
import { isIP } from 'node:net'

const plainV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const mostChars = 60

/** Version 4 as such, also where it is mapped into version 6, and version 6 as RFC 5952 writes it, without a zone. Other text stays. */
export function canonicalAddress(text: string): string {
  if (plainV4.test(text) || text.length > mostChars || !text.includes(':')) return text
  const address = text.trim().replace(/%.*/s, '')
  if (isIP(address) !== 6) return text
  const parts = expandAddress(address)
  return mappedV4(parts) ?? compress(parts)
}

/** The spellings that rows from before have besides the canonical one, which is the first. Other text has one. */
export function addressSpellings(text: string): string[] {
  const canonical = canonicalAddress(text.trim())
  const version = isIP(canonical)
  if (version === 0) return [text]
  if (version === 6) {
    const parts = expandAddress(canonical).map(part => part.toString(16))
    const all = [canonical, parts.join(':'), parts.map(part => part.padStart(4, '0')).join(':'), text]
    return [...new Set(all)]
  }
  const [a = 0, b = 0, c = 0, d = 0] = canonical.split('.').map(Number)
  const mapped = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  return [...new Set([canonical, `::ffff:${canonical}`, `::ffff:${mapped}`, text])]
}

/** The eight numbers of a valid IPv6 address. */
export function expandAddress(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const before = partsOf(head)
  if (tail === undefined) return before
  const after = partsOf(tail)
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

function partsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap(part => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}

function mappedV4(parts: readonly number[]): string | null {
  const isMapped = parts.slice(0, 5).every(part => part === 0) && parts[5] === 0xffff
  if (!isMapped) return null
  return parts
    .slice(6)
    .flatMap(part => [part >> 8, part & 0xff])
    .join('.')
}

/** Leaves out the longest run of zeros. */
function compress(parts: readonly number[]): string {
  let from = 0
  let length = 0
  for (let at = 0; at < parts.length; at++) {
    let end = at
    while (parts[end] === 0) end++
    if (end - at > length) [from, length] = [at, end - at]
  }
  const words = parts.map(part => part.toString(16))
  if (length < 2) return words.join(':')
  return `${words.slice(0, from).join(':')}::${words.slice(from + length).join(':')}`
}
