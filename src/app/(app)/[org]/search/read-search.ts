import { fieldTables, type Language } from '#search/field-tables.ts'
import { parseSearch } from '#search/parse-search.ts'
import { fieldKind } from '#search/search-fields.ts'
import { findHints, type SearchHint } from '#search/search-hints.ts'
import { languageOf } from '#search/search-language.ts'
import { fieldsOf, type SearchFault, type SearchTerm, type TextRange } from '#search/search-term.ts'

/** How a search is read: which parts are terms, what is wrong with it, and what it may mean instead. */
export type SearchReading = { tints: (TextRange & { look: string })[]; faults: SearchFault[]; hints: SearchHint[] }

/** The server reads the submitted search, so that a page draws it before it has loaded the language. */
export function readSearch(text: string, language: Language): SearchReading {
  const table = fieldTables[language]
  const parsed = parseSearch(text, languageOf(table))
  const tints = fieldsOf(parsed.terms).map(({ start, end, key }) => ({
    start,
    end,
    look: fieldKind(key, table) === table.other ? 'tok tag' : 'tok',
  }))
  if (!parsed.ok) return { tints, faults: parsed.faults, hints: [] }
  const faults = language === 'events' ? findWords(parsed.terms) : []
  return { tints, faults, hints: findHints(text, parsed.terms, table) }
}

/** Free text is about the title of an issue, which all of its events share. */
const findWords = (terms: readonly SearchTerm[]): SearchFault[] =>
  terms
    .filter(({ kind }) => kind === 'text')
    .map(({ start, end }) => ({
      start,
      end,
      message: 'Search events by a field, like browser.name:Chrome or plan:pro.',
    }))
