import { checkTerm } from './check-term.ts'
import { type FieldTable, fieldKey, issueFields } from './search-fields.ts'
import type { FieldTerm } from './search-term.ts'

/** What a search may be about: the grammar is one, the keys and what their values must look like are the list's own. */
export type SearchLanguage = {
  /** Matches a key and its colon at the start of a text. */
  key: RegExp
  /** The key as the list knows it. */
  keyOf(typed: string): string
  /** A sentence about what is wrong with a term; null where it can be asked. */
  check(term: FieldTerm): string | null
}

/** What stands before `//` is a scheme: a pasted address is free text. */
export const languageOf = (table: FieldTable): SearchLanguage => ({
  key: /^[A-Za-z0-9_][\w.-]{0,199}:(?!\/\/)/,
  keyOf: typed => fieldKey(typed, table),
  check: term => checkTerm(term, table),
})

export const issueLanguage: SearchLanguage = languageOf(issueFields)
