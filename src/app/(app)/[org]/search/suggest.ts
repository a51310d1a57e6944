import { formatWhole } from '#lib/format-whole.ts'
import { fieldTables, type Language } from '#search/field-tables.ts'
import {
  fieldKind,
  flagWords,
  levelWords,
  priorityWords,
  severityWords,
  sideWords,
  spanStateWords,
  stateWords,
  statusWords,
} from '#search/search-fields.ts'
import { formatValue } from '#search/search-term.ts'
import type { TokenAt } from '#search/token-at.ts'

/** `text` replaces the typed token; `label` and `note` are displayed. */
export type Suggestion = { text: string; label: string; note: string }

const most = 8
const words: Partial<Record<string, readonly string[]>> = {
  state: stateWords,
  level: levelWords,
  priority: priorityWords,
  assignee: ['me', 'none'],
  count: ['>10', '>100', '>1000'],
  moment: ['-1h', '-24h', '-7d', '+7d'],
  time: ['-1h', '-24h', '-7d'],
  flag: flagWords,
  category: ['error'],
  age: ['-24h', '-7d', '>30d'],
  has: ['user', 'release', 'replay', 'trace', 'environment', 'route'],
  spanState: spanStateWords,
  status: statusWords,
  side: sideWords,
  severity: ['>=warn', '>=error', ...severityWords],
  duration: ['>100ms', '>500ms', '>1s', '>5s'],
}

/** Suggestions that need no request. */
export function suggestKnown(token: TokenAt, language: Language): Suggestion[] {
  const table = fieldTables[language]
  const prefix = token.prefix.toLowerCase()
  if (token.kind === 'key')
    return Object.entries(table.fields)
      .filter(([key]) => key.toLowerCase().startsWith(prefix))
      .slice(0, most)
      .map(([key, { description }]) => ({ text: `${key}:`, label: `${key}:`, note: description }))
  return (
    token.key === 'release' || token.key === 'firstRelease' ? ['latest'] : (words[fieldKind(token.key, table)] ?? [])
  )
    .filter(word => word.startsWith(prefix))
    .map(word => ({ text: `${word} `, label: word, note: '' }))
}

/** Which values to suggest. */
export type ValueScope = { organization: string; language: Language }
const kindsWithValues = new Set(['event', 'tag', 'attribute', 'key', 'assignee', 'project', 'firstRelease'])

/** Suggestions from stored data: values of a field or tag, or tag names. */
export async function suggestReceived(
  { organization, language }: ValueScope,
  token: TokenAt,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const kind = token.kind === 'value' ? fieldKind(token.key, fieldTables[language]) : 'key'
  if (!kindsWithValues.has(kind)) return []
  if (token.kind === 'key' && token.prefix === '') return []
  const query = new URLSearchParams({
    org: organization,
    ...(language === 'issues' ? {} : { of: language }),
    prefix: token.prefix,
    ...(token.kind === 'value' ? { key: token.key } : {}),
  })
  const response = await fetch(`/api/search-values?${query}`, { signal })
  if (!response.ok) return []
  const found: { value: string; count: number }[] = await response.json()
  return found.slice(0, most).map(({ value, count }) => {
    const text = token.kind === 'key' ? tagKey(value) : `${formatValue({ parts: [value] })} `
    return { text, label: token.kind === 'key' ? text : value, note: count > 0 ? formatWhole(count) : '' }
  })
}

const tagKey = (name: string): string =>
  /^[A-Za-z0-9_][\w.-]*$/.test(name) ? `${name}:` : `"${name.replace(/["\\*]/g, '\\$&')}":`
