import { parseSearch } from './parse-search.ts'
import { type FieldTable, issueFields } from './search-fields.ts'
import { languageOf } from './search-language.ts'
import { type FieldTerm, fieldTerm, formatSearch, type SearchTerm } from './search-term.ts'

const isOf = (term: SearchTerm, key: string): term is FieldTerm => term.kind === 'field' && term.key === key

/** The search with other conditions on a field than those it has, or with none. Groups stay as they are. */
export function withField(
  text: string,
  key: string,
  terms: readonly FieldTerm[],
  table: FieldTable = issueFields,
): string {
  const parsed = parseSearch(text, languageOf(table))
  // A search with an error is replaced: it finds nothing anyway.
  return formatSearch([...(parsed.ok ? parsed.terms.filter(term => !isOf(term, key)) : []), ...terms])
}

/** The search with one value of a field, or without any. */
export const withValue = (text: string, key: string, value: string | undefined, table?: FieldTable): string =>
  withField(text, key, value === undefined ? [] : [fieldTerm(key, [value])], table)

/** Returns the value of a field in a search, null if the field is missing, or 'several' for anything but a single value. */
export function findValue(text: string, key: string, table: FieldTable = issueFields): string | 'several' | null {
  const parsed = parseSearch(text, languageOf(table))
  const [first, ...more] = parsed.terms.filter(term => isOf(term, key))
  if (!first) return null
  const value = first.values[0]?.parts
  const isOne = more.length === 0 && !first.isNegated && first.comparison === '=' && first.values.length === 1
  return isOne && value?.length === 1 ? (value[0] ?? null) : 'several'
}
