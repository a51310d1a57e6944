import { isIP } from 'node:net'
import { plainAddress } from './peer-list.ts'

/**
 * Whose address it is, for counting: a version 4 address by itself, a version 6 one by its /64, since one home or one server can use
 * any of the 2^64 in it. `addressGroup('2001:db8::1')` is `2001:db8:0:0::/64`; a mapped version 4 address counts as version 4.
 */
export function addressGroup(text: string): string {
  const address = plainAddress(text.trim()).replace(/%.*/s, '').toLowerCase()
  if (isIP(address) === 4) return address
  if (isIP(address) !== 6) return 'unknown'
  const parts = expand(address)
  const isMapped = parts.slice(0, 5).every(part => part === 0) && parts[5] === 0xffff
  if (isMapped) return parts.slice(6).flatMap(octets).join('.')
  return `${parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}

const octets = (part: number): number[] => [part >> 8, part & 0xff]

/** The eight numbers of a valid version 6 address. */
function expand(address: string): number[] {
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
