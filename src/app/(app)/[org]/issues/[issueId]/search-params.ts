import { z } from 'zod'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { eventPart } from '#search/event-part.ts'
import { parseSearch } from '#search/parse-search.ts'
import { isKeyOfEvents, issueFields, keyOfName } from '#search/search-fields.ts'
import { fieldTerm } from '#search/search-term.ts'
import { withField } from '#search/with-field.ts'
import type { StackMode } from '#ui/event/exception-chain.tsx'
import { listIgnored } from '../../ignored-params.ts'
import {
  keptTime,
  type RangeName,
  ranges,
  readRangeName,
  readScopeParams,
  type ScopeParams,
} from '../../list-params.ts'

const text = z.string().max(2_000).optional().catch(undefined)
const params = z.object({ environment: text, query: text, stack: z.enum(['app', 'all', 'raw']).catch('app') })

/** Which events of an issue a page is about. Without a range and a span it is all of them. */
export type IssueScope = Omit<ScopeParams, 'range'> & { range?: RangeName | undefined; query: string }

/** `search` is the scope as a query string, for links that keep it. */
export type IssueAddress = {
  scope: IssueScope
  filter: IssueEventFilter
  stack: StackMode
  search: string
  isNarrowed: boolean
}

/** Reads the event filter from the URL. Unknown values are ignored, and named by the page. */
export function readIssueAddress(raw: Record<string, string | string[] | undefined>): IssueAddress {
  const { environment: older, query = '', stack } = params.parse(raw)
  const { projects, environment = older || undefined, span, ignored = [] } = readScopeParams(raw, '24h')
  const range = span ? undefined : readRangeName(raw.range)
  const parsed = parseSearch(query)
  const terms = parsed.ok ? eventPart(parsed.terms, isKeyOfEvents) : []
  const unknownStack = listIgnored(raw, { stack })
  const scope = { projects, environment, range, span, query, ignored: [...ignored, ...unknownStack] }
  return {
    scope,
    filter: { ...span, rangeMs: range && ranges[range].ms, environment, terms },
    stack,
    search: scopeSearch(scope),
    isNarrowed: Boolean(span || range || environment) || terms.length > 0,
  }
}

export const scopeParams = ({ projects, environment, range, span, query }: IssueScope): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  ...keptTime(span, range),
  ...(query ? { query } : {}),
})

const scopeSearch = (scope: IssueScope): string => new URLSearchParams(scopeParams(scope)).toString()

/** A page of an issue: its own, or the `rest` below it, like `/events/latest`. */
export function issueHref(organizationSlug: string, issueId: number, scope: IssueScope, rest = ''): string {
  const search = scopeSearch(scope)
  return `/${organizationSlug}/issues/${issueId}${rest}${search ? `?${search}` : ''}`
}

/** The list with the same projects, environment and time. */
export const listHref = (
  organizationSlug: string,
  { projects, environment, range, span }: IssueScope,
  q?: string,
): string => {
  const search = new URLSearchParams({
    ...(q === undefined ? {} : { q }),
    ...scopeParams({ projects, environment, range, span, query: '' }),
  })
  return `/${organizationSlug}/issues${search.size > 0 ? `?${search}` : ''}`
}

/** All issues with events that have this value. */
export const tagIssuesHref = (organizationSlug: string, scope: IssueScope, key: string, value: string): string =>
  listHref(organizationSlug, scope, withTerm({ ...scope, query: '' }, key, value).query)

/** The scope with one value of a tag or field, or without it: another value of the same key is replaced. */
export function withTerm(scope: IssueScope, name: string, value: string, isNegated = false): IssueScope {
  const key = keyOfName(name, issueFields)
  return { ...scope, query: withField(scope.query, key, [{ ...fieldTerm(key, [value]), isNegated }]) }
}
