import type { Viewer } from '#domain/access/viewer.ts'
import { listTagNames } from '#domain/issues/list-search-values.ts'
import { fieldTables, type Language } from '#search/field-tables.ts'
import { parseSearch } from '#search/parse-search.ts'
import { explainNothing, hasTagTerms } from '#search/search-hints.ts'
import { languageOf } from '#search/search-language.ts'
import { attempt } from '#web/attempt.ts'
import { SearchHints } from './search-paint.tsx'

type Props = {
  viewer: Viewer
  language: Exclude<Language, 'events'>
  text: string
  filter: { projectIds?: readonly number[] | undefined; rangeMs: number; to?: number | undefined }
  hrefOf: (search: string) => string
}

/** Why a search may have found nothing. Reads the names of tags only if the search has one. */
export async function WhyNothing({ viewer, language, text, filter, hrefOf }: Props) {
  const table = fieldTables[language]
  const parsed = parseSearch(text, languageOf(table))
  if (!parsed.ok || parsed.terms.length === 0) return null
  const found = hasTagTerms(parsed.terms, table)
    ? await attempt('tag names', listTagNames(viewer, language, filter))
    : { ok: true as const, value: [] }
  if (!found.ok) return null
  const names = new Set(found.value.map(({ value }) => value))
  return <SearchHints text={text} hints={explainNothing(text, parsed.terms, table, names)} hrefOf={hrefOf} />
}
