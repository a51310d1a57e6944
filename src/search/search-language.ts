import { checkMixedGroups, checkTerm } from './check-term.ts'
import { type FieldTable, fieldKey, issueFields } from './search-fields.ts'
import type { FieldTerm, SearchTerm } from './search-term.ts'

/** All searches share one grammar; each list defines its keys and which values they take. */
export type SearchLanguage = {
  /** Matches a key and its colon at the start of a text. */
  key: RegExp
  /** The key as the list spells it: aliases and case are resolved. */
  keyOf(typed: string): string
  /** The term in the list's own words. */
  resolve?(term: FieldTerm): FieldTerm
  /** Explains what is wrong with a term; null for a valid one. */
  check(term: FieldTerm): string | null
  /** Explains what is wrong with the terms together. */
  checkAll?(terms: readonly SearchTerm[]): string | null
}

export const languageOf = (table: FieldTable): SearchLanguage => ({
  // `https://` is not a key: a pasted URL is free text.
  key: /^(?:tags\[[^\]\s"]{1,200}\]|[A-Za-z0-9_][\w.-]{0,199}):(?!\/\/)/,
  keyOf: typed => fieldKey(typed, table),
  resolve: term => resolveValues(term, table),
  check: term => checkTerm(term, table),
  checkAll: terms => checkMixedGroups(terms, table),
})

/** `is:ignored` is `is:archived`, `has:browser` is `has:browser.name`, `level:warning` of a log line is `level:warn`. */
function resolveValues(term: FieldTerm, table: FieldTable): FieldTerm {
  const known = table.valueAliases ?? {}
  const valueAliases = Object.hasOwn(known, term.key) ? known[term.key] : undefined
  const wordsOf = (text: string): readonly string[] => {
    if (term.key === 'has') return [fieldKey(text, table)]
    const aliases = term.key === 'is' ? (table.stateAliases ?? {}) : {}
    const meant = valueAliases && Object.hasOwn(valueAliases, text) ? valueAliases[text] : undefined
    return (Object.hasOwn(aliases, text) ? aliases[text] : undefined) ?? [meant ?? text]
  }
  if (term.key !== 'has' && term.key !== 'is' && valueAliases === undefined) return term
  const values = term.values.flatMap(value =>
    value.parts.length === 1 ? wordsOf(value.parts[0] ?? '').map(word => ({ parts: [word] })) : [value],
  )
  return { ...term, values }
}

export const issueLanguage: SearchLanguage = languageOf(issueFields)
