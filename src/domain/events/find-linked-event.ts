import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { listLinkedIssues } from '#domain/issues/list-linked-issues.ts'
import { listCachedTraceErrors, maxErrors } from '#domain/traces/trace-errors.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { eventScope, eventScopeParams, type IssueEventFilter } from './event-scope.ts'
import { explainReact } from './explain-event.ts'
import { findCachedEvent, type StoredEvent } from './find-event.ts'
import { type EventChoice, type PickedEvent, pickEvent } from './pick-event.ts'

const row = z.object({ event_id: z.string(), at: z.coerce.number() })
const idAndMoment = `replaceAll(toString(event_id), '-', '') AS event_id, toUnixTimestamp64Milli(timestamp) AS at`
const onServer = `(platform != 'javascript' OR startsWith(mechanism, 'auto.function.nextjs'))`
const hourMs = 3_600_000
const noTrace = /^0*$/

export type LinkedServerError = {
  event: StoredEvent
  /** Another one where server and browser report to different projects. */
  issue: Issue
  /** Of the same trace; else the newest one that went to the issue. */
  isSameTrace: boolean
}

type Wanted = { of: StoredEvent; isOnServer: boolean }

/**
 * The other end of an error that server and browser both reported: within the issue that they share, or in the one that is its twin.
 * Of another request the newest will do where it belongs to a twin, and for the server's stack, which is alike in all of them.
 */
export async function findLinkedEvent(viewer: Viewer, issue: Issue, wanted: Wanted): Promise<LinkedServerError | null> {
  const linkedIssues = await listLinkedIssues(viewer, issue, wanted)
  for (const place of [issue, ...linkedIssues]) {
    const same = await findSame(viewer, place, wanted)
    if (same !== null) return same
  }
  for (const place of wanted.isOnServer ? [...linkedIssues, issue] : linkedIssues) {
    const newest = await findNewest(viewer, place, wanted)
    if (newest !== null) return newest
  }
  return null
}

const thatEnd = ({ isOnServer }: Wanted): string => (isOnServer ? onServer : `NOT ${onServer}`)

/** Both ends report within moments of each other, so few days are looked at. */
async function findSame(viewer: Viewer, issue: Issue, wanted: Wanted): Promise<LinkedServerError | null> {
  const { trace_id: traceId, timestamp } = wanted.of
  if (noTrace.test(traceId)) return null
  const others = (await listCachedTraceErrors(viewer, wanted.of)).filter(
    ({ eventId }) => eventId !== wanted.of.event_id,
  )
  if (others.length < maxErrors - 1 && !others.some(other => other.issue?.id === issue.id)) return null
  const [found] = await viewer.telemetry.query({
    query: `SELECT ${idAndMoment} FROM events
      WHERE ${eventScope} AND events.trace_id = {traceId:UUID} AND kind = 'error' AND ${thatEnd(wanted)}
      ORDER BY events.timestamp DESC LIMIT 1`,
    params: { ...eventScopeParams(issue), from: timestamp - hourMs, to: timestamp + hourMs, traceId: asUuid(traceId) },
    schema: row,
  })
  return found ? toLinkedError(viewer, issue, found, true) : null
}

async function findNewest(viewer: Viewer, issue: Issue, wanted: Wanted): Promise<LinkedServerError | null> {
  const [found] = await viewer.telemetry.query({
    query: `SELECT ${idAndMoment} FROM event_index AS events
      WHERE ${eventScope} AND ${thatEnd(wanted)} ORDER BY events.timestamp DESC LIMIT 1`,
    params: eventScopeParams(issue),
    schema: row,
  })
  return found ? toLinkedError(viewer, issue, found, false) : null
}

async function toLinkedError(
  viewer: Viewer,
  issue: Issue,
  { event_id: eventId, at }: z.output<typeof row>,
  isSameTrace: boolean,
): Promise<LinkedServerError | null> {
  const event = await findCachedEvent(viewer, issue, eventId, at)
  return event ? { event, issue, isSameTrace } : null
}

/** `issue` is another one where the linked server error was reported to another project. */
type ShownEvent = { event: StoredEvent; picked: PickedEvent; issue: Issue }

/**
 * The event that best shows an issue, for its page and for the API alike. A browser's redacted error has no stack of its own, so its
 * linked server error is shown instead; an event that is asked for by id, or by a filter, is shown as it is. The page of an issue
 * stays `within` the issue and draws a server error of another project beside the event.
 */
export async function findShownEvent(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter = {}, within }: { filter?: IssueEventFilter; within: 'issue' | 'organization' },
): Promise<ShownEvent | null> {
  const picked = await pickEvent(viewer, issue, choice, filter)
  const event = picked && (await findCachedEvent(viewer, issue, picked.eventId, picked.at))
  if (!picked || !event) return null
  const own = { event, picked, issue }
  if (choice.kind === 'id' || isNarrowed(filter) || explainReact(event.data)?.kind !== 'server-error') return own
  const server = await findLinkedEvent(viewer, issue, { of: event, isOnServer: true })
  if (server === null || (within === 'issue' && server.issue.id !== issue.id)) return own
  const beside = await pickEvent(viewer, server.issue, { kind: 'id', eventId: server.event.event_id }, filter)
  return beside ? { event: server.event, picked: beside, issue: server.issue } : own
}

const isNarrowed = ({ from, to, environment, terms = [] }: IssueEventFilter): boolean =>
  from !== undefined || to !== undefined || Boolean(environment) || terms.length > 0
