import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { listLinkedIssues } from '#domain/issues/list-linked-issues.ts'
import { maxErrors } from '#domain/traces/list-errors.ts'
import { listCachedTraceErrors } from '#domain/traces/trace-errors.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { eventScope, eventScopeParams, type IssueEventFilter, onServerSql } from './event-scope.ts'
import { findCachedEvent, type StoredEvent } from './find-event.ts'
import { mayHaveSide } from './newest-events.ts'

const row = z.object({ event_id: z.string(), at: z.coerce.number() })
const idAndMoment = `replaceAll(toString(event_id), '-', '') AS event_id, toUnixTimestamp64Milli(timestamp) AS at`
const hourMs = 3_600_000
const countedAfterMs = 5 * 60_000
const noTrace = /^0*$/

export type LinkedServerError = {
  event: StoredEvent
  /** Another issue if server and browser report to different projects. */
  issue: Issue
  /** Otherwise it is the newest event of the issue. */
  isSameTrace: boolean
}

/** `isOnServer`: whether the wanted event is the server's or the browser's. `filter` is that of the page, whose events are known. */
type Wanted = { of: StoredEvent; isOnServer: boolean; filter: IssueEventFilter }

/**
 * The event of the other side of an error that server and browser both reported, in the same issue or in a linked one: of the same
 * trace, else the newest, since the server's stack is the same in all of them.
 */
export async function findLinkedEvent(viewer: Viewer, issue: Issue, wanted: Wanted): Promise<LinkedServerError | null> {
  const { linkedIssues, isCounted, isFresh } = await findCandidates(viewer, issue, wanted)
  const { isOnServer } = wanted
  for (const candidate of [...(isCounted || isFresh ? [issue] : []), ...linkedIssues]) {
    const same = await findSameTrace(viewer, candidate, wanted)
    if (same !== null) return same
  }
  for (const candidate of isOnServer ? [...linkedIssues, issue] : linkedIssues) {
    const newest = await findNewest(viewer, candidate, wanted)
    if (newest !== null) return newest
  }
  return null
}

/** Whether there is anything to look for, from what the page knows anyway. */
export async function expectLinkedEvent(
  viewer: Viewer,
  issue: Issue,
  wanted: Wanted,
): Promise<'none' | 'possible' | 'likely'> {
  const { linkedIssues, isCounted, isFresh } = await findCandidates(viewer, issue, wanted)
  return linkedIssues.length > 0 || isCounted ? 'likely' : isFresh ? 'possible' : 'none'
}

async function findCandidates(viewer: Viewer, issue: Issue, wanted: Wanted) {
  const { of: event, isOnServer, filter } = wanted
  const linkedIssues = await listLinkedIssues(viewer, issue, wanted)
  const near = { from: event.timestamp - hourMs, to: event.timestamp + hourMs }
  return {
    linkedIssues,
    isCounted: await mayHaveSide(viewer, issue, { isOnServer, filter, ...near }),
    /** The other side may be stored and not yet counted. */
    isFresh: viewer.now - event.received_at < countedAfterMs,
  }
}

const sideCondition = ({ isOnServer }: Wanted): string => (isOnServer ? onServerSql : `NOT ${onServerSql}`)

/** Both sides report within moments of each other, so only two hours are searched. */
async function findSameTrace(viewer: Viewer, issue: Issue, wanted: Wanted): Promise<LinkedServerError | null> {
  const { trace_id: traceId, timestamp } = wanted.of
  if (noTrace.test(traceId)) return null
  const others = (await listCachedTraceErrors(viewer, wanted.of)).filter(
    ({ eventId }) => eventId !== wanted.of.event_id,
  )
  if (others.length < maxErrors - 1 && !others.some(other => other.issue?.id === issue.id)) return null
  const [found] = await viewer.telemetry.within([issue.projectId]).query({
    query: `SELECT ${idAndMoment} FROM events
      WHERE ${eventScope} AND events.trace_id = {traceId:UUID} AND kind = 'error' AND ${sideCondition(wanted)}
      ORDER BY events.timestamp DESC LIMIT 1`,
    params: { ...eventScopeParams(issue), from: timestamp - hourMs, to: timestamp + hourMs, traceId: asUuid(traceId) },
    schema: row,
  })
  return found ? toLinkedError(viewer, issue, found, true) : null
}

async function findNewest(viewer: Viewer, issue: Issue, wanted: Wanted): Promise<LinkedServerError | null> {
  const [found] = await viewer.telemetry.within([issue.projectId]).query({
    query: `SELECT ${idAndMoment} FROM event_index AS events
      WHERE ${eventScope} AND ${sideCondition(wanted)} ORDER BY events.timestamp DESC LIMIT 1`,
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
