/** Whose address this is, for limits: a household or office has one of version 4, and a whole /64 of version 6. */
import { isIP } from 'node:net'
import { plainAddress } from './peer-list.ts'

export function addressGroup(text: string): string {
  const address = plainAddress(text)
  if (isIP(address) !== 6) return address
  return `${firstHextets(address).join(':')}::/64`
}

/** The first four of eight groups, written without leading zeros, wherever the `::` stands. */
function firstHextets(address: string): string[] {
  const [before = '', after] = address.split('%', 1).join('').split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const gap = after === undefined ? 0 : 8 - head.length - tail.length - (address.includes('.') ? 1 : 0)
  const groups = [...head, ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...tail]
  return groups.slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
}
