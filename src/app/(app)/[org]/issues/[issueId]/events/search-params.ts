import { type EventCursor, type EventSort, eventSorts } from '#domain/events/list-issue-events.ts'
import { type IgnoredParam, listIgnored } from '../../../ignored-params.ts'
import { type IssueScope, issueHref } from '../search-params.ts'

/** The order of the table, and the page. */
export type EventsAddress = {
  sort: EventSort
  after?: EventCursor | undefined
  ignored?: readonly IgnoredParam[] | undefined
}

type Raw = Record<string, string | string[] | undefined>

/** Unknown values are ignored, and named by the page. */
export function readEventsAddress(raw: Raw): EventsAddress {
  const sort = eventSorts.find(each => each === raw.sort) ?? 'newest'
  const after = typeof raw.after === 'string' ? parseCursor(raw.after) : undefined
  return { sort, after, ignored: listIgnored(raw, { sort, after: after && String(raw.after) }) }
}

function parseCursor(text: string): EventCursor | undefined {
  const [, at, eventId = '', value = ''] = /^(\d{1,15})-([0-9a-f]{32})-(.{0,400})$/s.exec(text) ?? []
  return at === undefined ? undefined : { at: Number(at), eventId, value }
}

export function eventsHref(
  organizationSlug: string,
  issueId: number,
  scope: IssueScope,
  { sort, after }: EventsAddress,
): string {
  const href = issueHref(organizationSlug, issueId, scope, '/events')
  const own = new URLSearchParams({
    ...(sort === 'newest' ? {} : { sort }),
    ...(after ? { after: `${after.at}-${after.eventId}-${after.value}` } : {}),
  })
  return own.size === 0 ? href : `${href}${href.includes('?') ? '&' : '?'}${own}`
}
