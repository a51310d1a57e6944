import { nearestField } from './nearest-field.ts'
import { isIssueId, readCount, readDuration, readDurationUs, readFlag, readMoment, readShortId } from './read-value.ts'
import {
  type FieldKind,
  type FieldTable,
  fieldKind,
  flagWords,
  levelWords,
  priorityWords,
  severityWords,
  sideWords,
  spanStateWords,
  stateWords,
  statusWords,
} from './search-fields.ts'
import { type FieldTerm, leavesOf, type SearchTerm } from './search-term.ts'

const comparable = new Set<FieldKind>(['count', 'moment', 'age', 'duration', 'time', 'severity'])

/** Explains what is wrong with a term and how to fix it; null for a valid term. */
export function checkTerm(term: FieldTerm, table: FieldTable): string | null {
  const kind = fieldKind(term.key, table)
  const { key, comparison, values } = term
  if (kind === 'unsupported')
    return `${table.unsupported?.[key.toLowerCase()]} For a tag of this name write tags[${key}]:value.`
  if (values.length === 0) return `Add a value after ${key}:`
  if (kind === 'attribute' && comparison !== '=') return checkNumber(key, values)
  if (comparison !== '=' && !comparable.has(kind)) {
    const near = kind === table.other ? nearestField(key, table) : null
    const instead = near ? `Did you mean ${near}:${comparison}?` : `Use ${key}:value.`
    return `${key} can't be compared with ${comparison}. ${instead}`
  }
  const takesOne = kind === 'severity' ? comparison !== '=' : comparable.has(kind)
  if (takesOne && values.length > 1) return `${key} takes one value.`
  for (const value of values) {
    const fault =
      checkValue(kind, key, value.parts) ?? (kind === 'has' ? checkPresence(value.parts[0] ?? '', table) : null)
    if (fault) return fault
  }
  return null
}

/** Kinds that are about an issue as a whole: each issue has them, or `is:` asks for them. */
const ofIssues = new Set<FieldKind>([
  'state',
  'assignee',
  'firstRelease',
  'count',
  'moment',
  'age',
  'has',
  'issue',
  'shortId',
  'category',
])

function checkPresence(name: string, table: FieldTable): string | null {
  const kind = fieldKind(name, table)
  if (kind === 'assignee') return 'has takes a field of events. Use is:assigned or is:unassigned.'
  return kind === 'unsupported' || ofIssues.has(kind)
    ? `has takes a field or tag of events, like has:release, and ${name} is none.`
    : null
}

const measures = new Set<FieldKind>(['count', 'moment', 'age'])
const mostBesideMeasures = 8

/**
 * A count and other terms in one OR are compared per issue: the query collects which combinations of the others each issue has, and
 * eight terms have 256.
 */
export function checkMixedGroups(terms: readonly SearchTerm[], table: FieldTable): string | null {
  const isMeasure = (leaf: SearchTerm) => leaf.kind === 'field' && measures.has(fieldKind(leaf.key, table))
  const beside = terms.flatMap(term => {
    const leaves = leavesOf([term])
    return leaves.some(isMeasure) ? leaves.filter(leaf => !isMeasure(leaf)) : []
  })
  return table.other === 'tag' && beside.length > mostBesideMeasures
    ? `Beside timesSeen, users, firstSeen, lastSeen and age, an OR can have at most ${mostBesideMeasures} other terms.`
    : null
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
      return isExact && readCount(text) !== null ? null : `${key} takes a number, like ${key}:>100.`
    case 'flag':
      return isExact && readFlag(text) !== null ? null : oneOf('value', flagWords, parts)
    case 'eventId':
      return isExact && /^[0-9a-f]{32}$/i.test(text.replaceAll('-', '')) ? null : 'id takes an event id of 32 digits.'
    case 'issue':
      return isExact && (isIssueId(text) || readShortId(text)) ? null : 'issue takes a short id, like WEB-42, or an id.'
    case 'shortId':
      return isExact && readShortId(text) ? null : 'issue takes a short id, like WEB-42.'
    case 'time':
    case 'moment':
      return isExact && readMoment(text, 0) ? null : `${key} takes -24h, +7d or a date like 2026-11-15.`
    case 'age':
      return isExact && readDuration(text.replace(/^[-+]/, '')) !== null ? null : 'age takes a time, like -24h or >7d.'
    case 'severity':
      return oneOf('level', severityWords, parts)
    case 'pattern':
      return isExact && /^[0-9a-f]{16}$/.test(text) ? null : 'pattern takes the id of a pattern, 16 hex digits.'
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
  const typed = parts.join('*')
  const several = typed.includes(',') ? ` For several values write [${typed}].` : ''
  return `"${typed}" is not a ${noun}. Use ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.${several}`
}

/** `ada@shop.example`, `#payments`. */
const isEmailOrTeam = (text: string): boolean =>
  !/\s/.test(text) && (text.slice(1, -1).includes('@') || (text.startsWith('#') && text.length > 1))
