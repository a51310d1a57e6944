import { checkTerm } from './check-term.ts'
import { type FieldTable, fieldKey, issueFields } from './search-fields.ts'
import type { FieldTerm } from './search-term.ts'

/** All searches share one grammar; each list defines its keys and which values they take. */
export type SearchLanguage = {
  /** Matches a key and its colon at the start of a text. */
  key: RegExp
  /** The key as the list spells it: aliases and case are resolved. */
  keyOf(typed: string): string
  /** Explains what is wrong with a term; null for a valid one. */
  check(term: FieldTerm): string | null
}

export const languageOf = (table: FieldTable): SearchLanguage => ({
  // `https://` is not a key: a pasted URL is free text.
  key: /^[A-Za-z0-9_][\w.-]{0,199}:(?!\/\/)/,
  keyOf: typed => fieldKey(typed, table),
  check: term => checkTerm(term, table),
})

export const issueLanguage: SearchLanguage = languageOf(issueFields)
