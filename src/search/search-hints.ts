/** Searches that are valid and probably not what was meant: how each is read, and what to write instead. */
import { nearestField, nearestName } from './nearest-field.ts'
import { type FieldTable, fieldKey, fieldKind, tagName } from './search-fields.ts'
import {
  type FieldTerm,
  formatSearch,
  leavesOf,
  type SearchTerm,
  type TextRange,
  type TextTerm,
} from './search-term.ts'

/** `instead` is the whole search with the suggested change. */
export type SearchHint = TextRange & { message: string; instead?: string }

const mostHints = 3

export function findHints(text: string, terms: readonly SearchTerm[], table: FieldTable): SearchHint[] {
  return leavesOf(terms)
    .flatMap(leaf => (leaf.kind === 'text' ? hintOfText(text, leaf, table) : hintOfField(text, leaf, table)) ?? [])
    .slice(0, mostHints)
}

/** Only the words of the term itself: positions of a term in parentheses are its own. */
function replaced(text: string, { start, end }: TextRange, from: string | RegExp, to: string): string {
  return text.slice(0, start) + text.slice(start, end).replace(from, () => to) + text.slice(end)
}

function hintOfText(text: string, term: TextTerm, table: FieldTable): SearchHint | null {
  const { start, end } = term
  const typed = text.slice(start, end)
  if (typed === 'or' || typed === 'and')
    return {
      start,
      end,
      message: `is searched as a word. Write ${typed.toUpperCase()} to join terms.`,
      instead: replaced(text, term, typed, typed.toUpperCase()),
    }
  if (typed === 'NOT' || typed === 'not')
    return { start, end, message: 'is searched as a word. Write ! before a term to exclude it, like !level:info.' }
  const [, key = '', sign = ''] = /^!?([\w.-]+)(>=|<=|=|>|<)(?=.)/.exec(typed) ?? []
  if (key === '' || fieldKind(fieldKey(key, table), table) === table.other) return null
  return {
    start,
    end,
    message: `is searched as a word. A field is written ${key}:value.`,
    instead: replaced(text, term, `${key}${sign}`, `${key}:${sign === '=' ? '' : sign}`),
  }
}

function hintOfField(text: string, term: FieldTerm, table: FieldTable): SearchHint | null {
  const { start, end, key } = term
  const typed = text.slice(start, end)
  if (fieldKind(key, table) === table.other && !/^!?tags\[/.test(typed)) {
    const near = nearestField(key, table)
    if (near)
      return {
        start,
        end,
        message: `searches the ${table.other} ${key}. Did you mean ${near}?`,
        instead: replaced(text, term, key, near),
      }
  }
  return hintOfValue(text, term, typed, table)
}

/** `a,b` without quotes; a comma at an end is only a comma. */
const isUnbracketedList = (value: string): boolean =>
  value.includes(',') && !/["[\]]/.test(value) && !value.startsWith(',') && !value.endsWith(',')

/** `Chrome` of `Chrome 120.0`; null without a version. */
function nameBeforeVersion(text: string): string | null {
  const at = text.lastIndexOf(' ')
  return at > 0 && /^\d[\d.]*$/.test(text.slice(at + 1)) ? text.slice(0, at).trim() : null
}

function hintOfValue(text: string, term: FieldTerm, typed: string, table: FieldTable): SearchHint | null {
  const { start, end, key, values } = term
  const [only] = values
  const value = typed.slice(typed.indexOf(':') + 1)
  if (values.length === 1 && term.comparison === '=' && isUnbracketedList(value))
    return {
      start,
      end,
      message: 'is read as one value. For several values write them in brackets.',
      instead: replaced(text, term, `:${value}`, `:[${value}]`),
    }
  const isName = key === 'browser.name' || key === 'os.name'
  const name = isName && values.length === 1 ? nameBeforeVersion(only?.parts.join('*') ?? '') : null
  if (name)
    return {
      start,
      end,
      message: `is compared with the name only. Versions are in ${key.replace('name', 'version')}.`,
      instead: replaced(text, term, value, /\s/.test(name) ? `"${name}"` : name),
    }
  const spelled = Object.entries(key === 'is' ? (table.stateAliases ?? {}) : {}).find(
    ([word, meaning]) => meaning.length > 1 && value.includes(word),
  )
  return spelled ? { start, end, message: `is read as is:[${spelled[1].join(',')}].` } : null
}

/**
 * Why a search may have found nothing: a tag that no event has (`names` are those that exist), or a value that is spelled otherwise.
 */
export function explainNothing(
  text: string,
  terms: readonly SearchTerm[],
  table: FieldTable,
  names: ReadonlySet<string>,
): SearchHint[] {
  const hinted = new Set(findHints(text, terms, table).map(({ start }) => start))
  const fields = leavesOf(terms).filter(
    leaf => leaf.kind === 'field' && !leaf.isNegated && leaf.key !== 'has' && !hinted.has(leaf.start),
  )
  const words = table.searchesWords ? leavesOf(terms).flatMap(leaf => explainWords(text, leaf) ?? []) : []
  return [
    ...fields.flatMap(leaf => (leaf.kind === 'field' ? (explainTerm(text, leaf, table, names) ?? []) : [])),
    ...words,
  ].slice(0, mostHints)
}

/** `timeo` does not find `timeout`, which a list that searches any part of a text would. */
function explainWords(text: string, leaf: TextTerm | FieldTerm): SearchHint | null {
  if (leaf.kind !== 'text' || leaf.isNegated || leaf.value.parts.length > 1) return null
  const { start, end } = leaf
  const loose = formatSearch([{ ...leaf, value: { parts: ['', ...leaf.value.parts, ''] } }])
  return {
    start,
    end,
    message: 'finds whole words. With asterisks it finds a part of a word.',
    instead: text.slice(0, start) + loose + text.slice(end),
  }
}

/** Whether `explainNothing` needs the names of tags. */
export const hasTagTerms = (terms: readonly SearchTerm[], table: FieldTable): boolean =>
  leavesOf(terms).some(leaf => leaf.kind === 'field' && fieldKind(leaf.key, table) === table.other)

function explainTerm(text: string, term: FieldTerm, table: FieldTable, names: ReadonlySet<string>): SearchHint | null {
  const { start, end, key, values, comparison } = term
  const kind = fieldKind(key, table)
  const name = tagName(key)
  if (kind === table.other && !names.has(name)) {
    const near = nearestName(name, [...names])
    const message = `finds nothing: no data of this time range has the ${table.other} ${name}.${near ? ` Did you mean ${near}?` : ''}`
    return { start, end, message, ...(near ? { instead: replaced(text, term, name, near) } : {}) }
  }
  const [only] = values
  const isExact = values.length === 1 && comparison === '=' && only?.parts.length === 1
  const value = only?.parts[0] ?? ''
  if (
    !isExact ||
    value.length < 2 ||
    (kind !== 'event' && kind !== 'firstRelease' && kind !== table.other) ||
    key === 'trace' ||
    (value === 'latest' && (key === 'release' || key === 'firstRelease')) ||
    text[start] === '!'
  )
    return null
  const loose = formatSearch([{ ...term, values: [{ parts: ['', value, ''] }] }])
  return {
    start,
    end,
    message: 'matches this spelling only. With asterisks it finds a part of the value, in upper and lower case.',
    instead: text.slice(0, start) + loose + text.slice(end),
  }
}
