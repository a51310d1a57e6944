/** What belongs to a message: the error that the user met, its replay, and what others wrote about the same. */
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { findIssueOfEvent } from '#domain/events/find-event.ts'
import { plainUuid } from '#domain/events/read-columns.ts'
import { findIssue, type Issue } from '#domain/issues/find-issue.ts'
import { listIssueFeedback } from '#domain/issues/list-issue-activity.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { isNoFeedbackSql } from '#lib/event-kind.ts'
import type { Report } from './list-reports.ts'

export type RelatedError = {
  issue: Issue
  eventId: string
  /** How long before the message, in milliseconds; null if the event has expired. */
  beforeMs: number | null
  /** False if it only happened shortly before, in the same replay or trace, or to the same user. */
  isNamed: boolean
}

const row = z.object({ id: z.string().transform(plainUuid), at: z.coerce.number() })
const nearMs = 5 * 60_000
const noUuid = '00000000-0000-0000-0000-000000000000'

/**
 * The error that the message is about: the one that the SDK names, else the last one shortly before, of the same replay or trace, or at
 * least of the same user.
 */
export async function findRelatedError(viewer: Viewer, report: Report): Promise<RelatedError | null> {
  const near = await findNear(viewer, report)
  const eventId = report.errorId ?? near?.id
  if (eventId === undefined) return null
  const found = await findIssueOfEvent(viewer, eventId, report.projectId)
  const issue = found && (await findIssue(viewer, found.issueId))
  if (!issue) return null
  const at = near?.id === eventId ? near.at : null
  return {
    issue,
    eventId,
    isNamed: report.errorId !== null,
    beforeMs: at === null ? null : Math.max(0, report.at - at),
  }
}

async function findNear(viewer: Viewer, report: Report) {
  const uuid = (id: string | null) => (id === null ? noUuid : asUuid(id))
  const [found] = await viewer.telemetry.within([report.projectId]).query({
    query: `
      SELECT toString(event_id) AS id, toUnixTimestamp64Milli(timestamp) AS at FROM events
      WHERE {scope} AND ${isNoFeedbackSql}
        AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
        AND (event_id = {errorId:UUID} AND event_id != {none:UUID} OR {isNamed:Bool} = false AND (
          replay_id = {replayId:UUID} AND replay_id != {none:UUID} OR trace_id = {traceId:UUID} AND trace_id != {none:UUID}
          OR user_hash = {userHash:UInt64} AND user_hash != 0))
      ORDER BY replay_id = {replayId:UUID} AND replay_id != {none:UUID} OR trace_id = {traceId:UUID} AND trace_id != {none:UUID} DESC,
        timestamp DESC
      LIMIT 1`,
    params: {
      from: report.at - nearMs,
      to: report.at + 10_000, // clocks of one visitor may differ a little
      errorId: uuid(report.errorId),
      isNamed: report.errorId !== null,
      replayId: uuid(report.replayId),
      traceId: uuid(report.traceId),
      userHash: report.userHash,
      none: noUuid,
    },
    schema: row,
  })
  return found
}

/** `at` is when the message was sent, in milliseconds since the start of the replay. */
export type ReportReplay = { replayId: string; startedAt: number; endedAt: number; at: number }

/** The replay in which a message was written; null without segments. */
export async function findReportReplay(viewer: Viewer, report: Report): Promise<ReportReplay | null> {
  if (report.replayId === null) return null
  const [found] = await viewer.telemetry.within([report.projectId]).query({
    query: `
      SELECT count() AS segments, toUnixTimestamp64Milli(min(started)) AS begun, toUnixTimestamp64Milli(max(timestamp)) AS ended
      FROM replays
      WHERE {scope} AND replay_id = {replayId:UUID} AND timestamp >= fromUnixTimestamp64Milli({since:Int64}) LIMIT 1`,
    params: { replayId: asUuid(report.replayId), since: report.at - longestReplayMs },
    schema: z.object({ segments: z.coerce.number(), begun: z.coerce.number(), ended: z.coerce.number() }),
  })
  if (!found || found.segments === 0) return null
  const { begun, ended } = found
  return { replayId: report.replayId, startedAt: begun, endedAt: ended, at: Math.max(0, report.at - begun) }
}

const longestReplayMs = 24 * 3_600_000
const mostSimilar = 8

export type SimilarReport = { eventId: string; issueId: number; name: string; message: string; at: number }

/** What others wrote about the same error, newest first: messages of other issues. */
export async function listSimilar(
  viewer: Viewer,
  issue: Issue,
  related: RelatedError | null,
): Promise<SimilarReport[]> {
  if (related === null) return []
  const found = await listIssueFeedback(viewer, related.issue, { limit: 3 * mostSimilar })
  const similar: SimilarReport[] = []
  for (const { id, name, message, at } of found) {
    const of = await findIssueOfEvent(viewer, id, issue.projectId)
    if (of === null || of.issueId === issue.id) continue
    similar.push({ eventId: id, issueId: of.issueId, name, message, at })
    if (similar.length === mostSimilar) break
  }
  return similar
}

/** Whether the project has any feedback: without it, an issue page need not ask for more. */
export async function hasFeedback(viewer: Viewer, projectId: number): Promise<boolean> {
  const found = await viewer.control
    .within([projectId])
    .issues()
    .select('issue.id')
    .where('issue.kind', '=', 'feedback')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
