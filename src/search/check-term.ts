import {
  type FieldKind,
  type FieldTable,
  fieldKind,
  levelWords,
  priorityWords,
  sideWords,
  spanStateWords,
  stateWords,
  statusWords,
} from './search-fields.ts'
import type { FieldTerm } from './search-term.ts'

const comparable = new Set<FieldKind>(['count', 'moment', 'age', 'duration'])

/** Explains what is wrong with a term and how to fix it; null for a valid term. */
export function checkTerm(term: FieldTerm, table: FieldTable): string | null {
  const kind = fieldKind(term.key, table)
  const { key, comparison, values } = term
  if (values.length === 0) return `Add a value after ${key}:`
  if (kind === 'attribute' && comparison !== '=') return checkNumber(key, values)
  if (comparison !== '=' && !comparable.has(kind))
    return `${key} can't be compared with ${comparison}. Use ${key}:value.`
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
      return oneOf('state', stateWords, parts)
    case 'level':
      return oneOf('level', levelWords, parts)
    case 'priority':
      return oneOf('priority', priorityWords, parts)
    case 'assignee':
      return isExact && (text === 'me' || text === 'none' || isEmailOrTeam(text))
        ? null
        : 'assigned takes me, none, an email address or #team.'
    case 'count':
      return isExact && /^\d{1,12}$/.test(text) ? null : `${key} takes a number, like ${key}:>100.`
    case 'moment':
      return isExact && readMoment(text, 0) ? null : `${key} takes -24h, +7d or a date like 2026-11-15.`
    case 'age':
      return isExact && readDuration(text.replace(/^[-+]/, '')) !== null ? null : 'age takes a time, like -24h or >7d.'
    case 'spanState':
      return oneOf('kind of span', spanStateWords, parts)
    case 'status':
      return oneOf('status', statusWords, parts)
    case 'side':
      return oneOf('side', sideWords, parts)
    case 'duration':
      return isExact && readDurationUs(text) !== null ? null : `${key} takes a time, like ${key}:>500ms or ${key}:<2s.`
    case 'has':
      return isExact && text !== '' ? null : 'has takes the name of a field or tag, like has:release.'
    default:
      return null
  }
}

function checkNumber(key: string, values: FieldTerm['values']): string | null {
  const [value] = values
  const isNumber =
    values.length === 1 && value?.parts.length === 1 && /^-?\d{1,15}(\.\d{1,9})?$/.test(value.parts[0] ?? '')
  return isNumber ? null : `${key} is compared with a number, like ${key}:>100.`
}

function oneOf(noun: string, words: readonly string[], parts: string[]): string | null {
  if (parts.length === 1 && words.includes(parts[0] ?? '')) return null
  return `"${parts.join('*')}" is not a ${noun}. Use ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`
}

/** `ada@shop.example`, `#payments`. */
const isEmailOrTeam = (text: string): boolean =>
  !/\s/.test(text) && (text.slice(1, -1).includes('@') || (text.startsWith('#') && text.length > 1))

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `24h` in milliseconds, or null. */
export function readDuration(text: string): number | null {
  const match = /^(\d{1,6})([smhdw])$/.exec(text)
  return match ? Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0) : null
}

/**
 * `-24h` means within the last 24 hours, `+24h` longer ago than that. A date is a day or a time in UTC, without a
 * direction of its own.
 */
export function readMoment(text: string, now: number): { at: number; direction: 'since' | 'before' | null } | null {
  const sign = text[0]
  if (sign === '-' || sign === '+') {
    const agoMs = readDuration(text.slice(1))
    return agoMs === null ? null : { at: now - agoMs, direction: sign === '-' ? 'since' : 'before' }
  }
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/.test(text)) return null
  const at = Date.parse(text.length > 10 && !text.endsWith('Z') ? `${text}Z` : text)
  return Number.isNaN(at) ? null : { at, direction: null }
}

const spanUnitUs: Record<string, number> = { us: 1, ms: 1e3, s: 1e6, m: 6e7 }

/** `1.5s` in microseconds, or null. A bare number is in milliseconds. */
export function readDurationUs(text: string): number | null {
  const match = /^(\d{1,9}(?:\.\d{1,6})?)(us|ms|s|m)?$/.exec(text)
  return match ? Math.round(Number(match[1]) * (spanUnitUs[match[2] ?? 'ms'] ?? 0)) : null
}
