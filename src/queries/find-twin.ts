import { z } from 'zod'
import { eventScope, eventScopeParams } from './event-scope.ts'
import { findEvent, type StoredEvent } from './find-event.ts'
import type { Issue } from './find-issue.ts'
import { listTwinIssues } from './list-twin-issues.ts'
import type { Viewer } from './viewer.ts'

const row = z.object({ event_id: z.string(), is_same: z.coerce.number() })
const onServer = `(platform != 'javascript' OR startsWith(mechanism, 'auto.function.nextjs'))`

export type Twin = {
  event: StoredEvent
  /** Another one where server and browser report to different projects. */
  issue: Issue
  /** Of the same trace; else the newest one that went to the issue. */
  isSameTrace: boolean
}

type Wanted = { of: StoredEvent; isOnServer: boolean }

/** The other end of an error that server and browser both reported: within the issue that they share, or in the one that is its twin. */
export async function findTwin(viewer: Viewer, issue: Issue, wanted: Wanted): Promise<Twin | null> {
  const own = await findIn(viewer, issue, wanted)
  if (own?.isSameTrace) return own
  const found: Twin[] = []
  for (const twin of await listTwinIssues(viewer, issue, wanted)) {
    const there = await findIn(viewer, twin, wanted)
    if (there !== null) found.push(there)
  }
  return found.find(({ isSameTrace }) => isSameTrace) ?? found[0] ?? own
}

async function findIn(viewer: Viewer, issue: Issue, { of, isOnServer }: Wanted): Promise<Twin | null> {
  const [found] = await viewer.telemetry.query({
    query: `
      SELECT
        replaceAll(toString(event_id), '-', '') AS event_id,
        replaceAll(toString(trace_id), '-', '') = {traceId:String} AS is_same
      FROM events
      WHERE ${eventScope} AND ${isOnServer ? onServer : `NOT ${onServer}`} AND kind = 'error'
      ORDER BY is_same DESC, events.timestamp DESC
      LIMIT 1`,
    params: { ...eventScopeParams(issue), traceId: of.trace_id },
    schema: row,
  })
  const event = found ? await findEvent(viewer, issue, found.event_id) : null
  return event && found ? { event, issue, isSameTrace: found.is_same === 1 } : null
}
