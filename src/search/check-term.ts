import { readDuration, readMoment } from './read-moment.ts'
import { type FieldKind, fieldKind, levelWords, priorityWords, stateWords } from './search-fields.ts'
import type { FieldTerm } from './search-term.ts'

const comparable = new Set<FieldKind>(['count', 'moment', 'age'])

/** A sentence about what is wrong with a term, and how to mend it; null where it can be asked. */
export function checkTerm(term: FieldTerm): string | null {
  const kind = fieldKind(term.key)
  const { key, comparison, values } = term
  if (values.length === 0) return `Say which ${key}: write a value after the colon.`
  if (comparison !== '=' && !comparable.has(kind))
    return `${key} has no order, so ${comparison} means nothing here. Leave it out.`
  if (comparable.has(kind) && values.length > 1) return `${key} takes one value.`
  for (const value of values) {
    const fault = checkValue(kind, key, value.parts)
    if (fault) return fault
  }
  return null
}

function checkValue(kind: FieldKind, key: string, parts: string[]): string | null {
  const [text = ''] = parts
  const isExact = parts.length === 1
  switch (kind) {
    case 'state':
      return oneOf(key, stateWords, parts)
    case 'level':
      return oneOf(key, levelWords, parts)
    case 'priority':
      return oneOf(key, priorityWords, parts)
    case 'person':
      return isExact && (text === 'me' || text === 'none' || /^\S+@\S+$|^#\S+$/.test(text))
        ? null
        : 'assigned takes me, none, a mail address or #team.'
    case 'count':
      return isExact && /^\d{1,12}$/.test(text) ? null : `${key} takes a number, like ${key}:>100.`
    case 'moment':
      return isExact && readMoment(text, 0) ? null : `${key} takes -24h, +7d or a date like 2026-11-15.`
    case 'age':
      return isExact && readDuration(text.replace(/^[-+]/, '')) !== null ? null : 'age takes a time, like -24h or >7d.'
    case 'has':
      return isExact && text !== '' ? null : 'has takes the name of a field or tag, like has:release.'
    default:
      return null
  }
}

function oneOf(key: string, words: readonly string[], parts: string[]): string | null {
  if (parts.length === 1 && words.includes(parts[0] ?? '')) return null
  return `${key} knows ${words.slice(0, -1).join(', ')} and ${words.at(-1)}.`
}
