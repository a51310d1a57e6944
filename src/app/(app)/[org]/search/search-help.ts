/** What a search box needs while somebody types. It is loaded with the first focus, so no page loads the language before. */
import { fieldTables, type Language } from '#search/field-tables.ts'
import { tokenAt } from '#search/token-at.ts'
import { readSearch } from './read-search.ts'
import { suggestKnown, suggestReceived } from './suggest.ts'

export const searchHelp = {
  readSearch,
  tokenAt: (text: string, caret: number, language: Language) => tokenAt(text, caret, fieldTables[language]),
  suggestKnown,
  suggestReceived,
}
export type SearchHelp = typeof searchHelp
