import { clipText } from '#lib/text.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { SearchTerm } from '#search/search-term.ts'

type IssueSearch = { ok: true; terms: SearchTerm[] } | { ok: false; message: string }

/** Reads a query as the search box does. An error names the part that is wrong. */
export function readIssueSearch(query: string): IssueSearch {
  const parsed = parseSearch(query)
  const [fault] = parsed.ok ? [] : parsed.faults
  if (!fault) return { ok: true, terms: parsed.terms }
  const typed = query.slice(fault.start, fault.end)
  return { ok: false, message: `${JSON.stringify(clipText(typed, 100))} is not valid. ${fault.message}` }
}
