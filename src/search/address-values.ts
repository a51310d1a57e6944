/** The spellings of IP addresses in searches: rows from before addresses had one spelling have theirs as it was sent. */
import { isIP } from 'node:net'
import { addressSpellings } from '#lib/ip-address.ts'
import type { FieldTerm, SearchValue } from './search-term.ts'

/** `user`, `user.ip`, `user.ip_address`, `client.address`, `net.peer.ip` and the like. */
const isAddressKey = (key: string): boolean =>
  key === 'user' || /(?:^|[._-])(?:ip|ip_address|addr|address)\]?$/i.test(key)

/** `user:ip:203.0.113.7` names the field in its value. */
const named = /^ip:(.*)$/s

export function spellingsOf(key: string, values: readonly SearchValue[]): readonly SearchValue[] {
  if (!isAddressKey(key)) return values
  return values.flatMap(value => {
    const [text = ''] = value.parts
    if (value.parts.length > 1) return [value]
    const address = named.exec(text)?.[1] ?? text
    if (isIP(address) === 0) return [value]
    const head = text.slice(0, text.length - address.length)
    return addressSpellings(address).map(spelling => ({ parts: [head + spelling] }))
  })
}

export function withSpellings(term: FieldTerm): FieldTerm {
  if (term.comparison !== '=') return term
  const values = spellingsOf(term.key, term.values)
  return values === term.values ? term : { ...term, values: [...values] }
}
