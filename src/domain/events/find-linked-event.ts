import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { listLinkedIssues } from '#domain/issues/list-linked-issues.ts'
import { maxErrors } from '#domain/traces/list-errors.ts'
import { listCachedTraceErrors } from '#domain/traces/trace-errors.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { eventScope, eventScopeParams, type IssueEventFilter } from './event-scope.ts'
import { explainReact } from './explain-event.ts'
import { findBestEvent, findCachedEvent, type StoredEvent } from './find-event.ts'
import { candidateCount } from './newest-events.ts'
import { type EventChoice, type PickedEvent, pickEvent } from './pick-event.ts'

const row = z.object({ event_id: z.string(), at: z.coerce.number() })
const idAndMoment = `replaceAll(toString(event_id), '-', '') AS event_id, toUnixTimestamp64Milli(timestamp) AS at`
const onServer = `(platform != 'javascript' OR startsWith(mechanism, 'auto.function.nextjs'))`
const hourMs = 3_600_000
const noTrace = /^0*$/

export type LinkedServerError = {
  event: StoredEvent
  /** Another issue if server and browser report to different projects. */
  issue: Issue
  /** Otherwise it is the newest event of the issue. */
  isSameTrace: boolean
}

/** `isOnServer`: whether the wanted event is the server's or the browser's. */
type Wanted = { of: StoredEvent; isOnServer: boolean }

/**
 * The event of the other side of an error that server and browser both reported, in the same issue or in a linked one: of the same
 * trace, else the newest, since the server's stack is the same in all of them.
 */
export async function findLinkedEvent(viewer: Viewer, issue: Issue, wanted: Wanted): Promise<LinkedServerError | null> {
  const linkedIssues = await listLinkedIssues(viewer, issue, wanted)
  for (const candidate of [issue, ...linkedIssues]) {
    const same = await findSameTrace(viewer, candidate, wanted)
    if (same !== null) return same
  }
  for (const candidate of wanted.isOnServer ? [...linkedIssues, issue] : linkedIssues) {
    const newest = await findNewest(viewer, candidate, wanted)
    if (newest !== null) return newest
  }
  return null
}

const sideCondition = ({ isOnServer }: Wanted): string => (isOnServer ? onServer : `NOT ${onServer}`)

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

/** `issue` is another one if the linked server error was reported to another project. */
type ShownEvent = { event: StoredEvent; picked: PickedEvent; issue: Issue }

/**
 * The event to show for an issue, on its page and in the API. A redacted browser error has no useful stack, so its linked server error
 * is shown instead, unless the event was chosen by id or filter. The issue page stays `within` the issue and shows a server error of
 * another project beside the event.
 */
export async function findShownEvent(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  { filter = {}, within }: { filter?: IssueEventFilter; within: 'issue' | 'organization' },
): Promise<ShownEvent | null> {
  const [picked, ahead] = await Promise.all([
    pickEvent(viewer, issue, choice, filter),
    readAhead(viewer, issue, choice, filter).catch(() => null),
  ])
  if (picked === null) return null
  const event =
    ahead?.event_id === picked.eventId ? ahead : await findCachedEvent(viewer, issue, picked.eventId, picked.at)
  if (event === null) return null
  const own = { event, picked, issue }
  if (choice.kind === 'id' || isNarrowed(filter) || explainReact(event.data)?.kind !== 'server-error') return own
  const server = await findLinkedEvent(viewer, issue, { of: event, isOnServer: true })
  if (server === null || (within === 'issue' && server.issue.id !== issue.id)) return own
  const linkedPick = await pickEvent(viewer, server.issue, { kind: 'id', eventId: server.event.event_id }, filter)
  return linkedPick ? { event: server.event, picked: linkedPick, issue: server.issue } : own
}

/** The event that will be picked, read while it is picked: both are then one statement. */
async function readAhead(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  filter: IssueEventFilter,
): Promise<StoredEvent | null> {
  if (choice.kind === 'oldest') return null
  if (choice.kind === 'id') return findCachedEvent(viewer, issue, choice.eventId)
  return findBestEvent(viewer, issue, { among: choice.kind === 'latest' ? 1 : candidateCount, filter })
}

const isNarrowed = ({ from, to, environment, terms = [] }: IssueEventFilter): boolean =>
  from !== undefined || to !== undefined || Boolean(environment) || terms.length > 0
