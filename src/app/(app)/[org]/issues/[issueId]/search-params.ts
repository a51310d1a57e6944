import { z } from 'zod'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { parseSearch } from '#search/parse-search.ts'
import { fieldKind, issueFields } from '#search/search-fields.ts'
import type { FieldTerm, SearchTerm } from '#search/search-term.ts'
import type { StackMode } from '#ui/event/exception-chain.tsx'

const moment = z.coerce.number().int().positive().max(8_640_000_000_000_000).optional().catch(undefined)
const text = z.string().max(2_000).optional().catch(undefined)
const params = z.object({
  start: moment,
  end: moment,
  environment: text,
  query: text,
  stack: z.enum(['app', 'all', 'raw']).catch('app'),
})

/** `search` is the filter as a query string, for links that keep it. */
export type IssueAddress = { filter: IssueEventFilter; stack: StackMode; search: string; isNarrowed: boolean }

/** Reads the event filter from the URL. Invalid parameters are ignored. */
export function readIssueAddress(raw: Record<string, string | string[] | undefined>): IssueAddress {
  const { start, end, environment, query, stack } = params.parse(raw)
  const isSpan = start !== undefined && end !== undefined && start < end
  const parsed = parseSearch(query ?? '')
  const terms = parsed.ok ? parsed.terms.filter(isAboutEvents) : []
  const kept = {
    ...(isSpan ? { start: String(start), end: String(end) } : {}),
    ...(environment ? { environment } : {}),
    ...(query ? { query } : {}),
  }
  return {
    filter: { from: isSpan ? start : undefined, to: isSpan ? end : undefined, environment, terms },
    stack,
    search: new URLSearchParams(kept).toString(),
    isNarrowed: isSpan || Boolean(environment) || terms.length > 0,
  }
}

/** The list's search also has terms about status and assignee; those don't apply to events. */
function isAboutEvents(term: SearchTerm): term is FieldTerm {
  return term.kind === 'field' && ['event', 'tag', 'has'].includes(fieldKind(term.key, issueFields))
}
