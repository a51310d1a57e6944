import { type EventCursor, type EventSort, eventSorts } from '#domain/events/list-issue-events.ts'
import { type IssueScope, issueHref } from '../search-params.ts'

/** The order of the table, and the page. */
export type EventsAddress = { sort: EventSort; after?: EventCursor | undefined }

type Raw = Record<string, string | string[] | undefined>

/** Invalid parameters are ignored. */
export function readEventsAddress({ sort, after }: Raw): EventsAddress {
  return {
    sort: eventSorts.find(each => each === sort) ?? 'newest',
    after: typeof after === 'string' ? parseCursor(after) : undefined,
  }
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
