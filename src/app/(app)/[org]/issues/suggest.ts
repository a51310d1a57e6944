import { formatValue } from '#search/format-search.ts'
import { fieldKind, levelWords, priorityWords, searchFields, stateWords } from '#search/search-fields.ts'
import type { TokenAt } from '#search/token-at.ts'

/** `text` replaces what is typed; `label` and `note` are what is read. */
export type Suggestion = { text: string; label: string; note: string }

const most = 8
const words: Partial<Record<string, readonly string[]>> = {
  state: stateWords,
  level: levelWords,
  priority: priorityWords,
  person: ['me', 'none'],
  count: ['>10', '>100', '>1000'],
  moment: ['-1h', '-24h', '-7d', '+7d'],
  age: ['-24h', '-7d', '>30d'],
  has: ['user', 'release', 'replay', 'trace', 'environment', 'route'],
}

/** From what is known without asking. */
export function suggestKnown(token: TokenAt): Suggestion[] {
  const prefix = token.prefix.toLowerCase()
  if (token.kind === 'key')
    return Object.entries(searchFields)
      .filter(([key]) => key.toLowerCase().startsWith(prefix))
      .slice(0, most)
      .map(([key, { says }]) => ({ text: `${key}:`, label: `${key}:`, note: says }))
  return (words[fieldKind(token.key)] ?? [])
    .filter(word => word.startsWith(prefix))
    .map(word => ({ text: `${word} `, label: word, note: '' }))
}

/** From what has been received: values of a field or tag, or names of tags. */
export async function suggestReceived(
  organization: string,
  token: TokenAt,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const kind = token.kind === 'value' ? fieldKind(token.key) : 'key'
  if (kind !== 'event' && kind !== 'tag' && kind !== 'key' && kind !== 'person') return []
  if (token.kind === 'key' && token.prefix === '') return []
  const query = new URLSearchParams({
    org: organization,
    prefix: token.prefix,
    ...(token.kind === 'value' ? { key: token.key } : {}),
  })
  const response = await fetch(`/api/search-values?${query}`, { signal })
  if (!response.ok) return []
  const found: { value: string; count: number }[] = await response.json()
  return found.slice(0, most).map(({ value, count }) => {
    const text = token.kind === 'key' ? tagKey(value) : `${formatValue({ parts: [value] })} `
    return { text, label: token.kind === 'key' ? text : value, note: count > 0 ? count.toLocaleString('en-US') : '' }
  })
}

const tagKey = (name: string): string =>
  /^[A-Za-z0-9_][\w.-]*$/.test(name) ? `${name}:` : `"${name.replace(/["\\*]/g, '\\$&')}":`
