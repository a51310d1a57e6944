import type { Viewer } from '#domain/access/viewer.ts'
import { type ListedError, listErrors } from '#domain/traces/list-errors.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import type { ReplaySummary } from './read-summaries.ts'
import { errorReach } from './replay-errors.ts'

export type ReplayError = Pick<ListedError, 'eventId' | 'at' | 'level' | 'title' | 'issue'> & {
  /** Whether a server reported it, during a request of the replay. */
  isServer: boolean
  /** Whether it is one of those that the replay counts. */
  isOwn: boolean
}

const [traceBeforeMs, traceAfterMs] = [60_000, 15 * 60_000]

/**
 * The errors of a replay: those that name it, those that it names, and those of servers in the traces of its requests. No link alone
 * has all: SDKs name only errors that were accepted, and servers know no replay.
 */
export async function listReplayErrors(viewer: Viewer, replay: ReplaySummary): Promise<ReplayError[]> {
  const found = await listErrors(viewer, {
    where: `{scope} AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
      AND kind != {feedback:String}
      AND (replay_id = {replay:UUID} OR event_id IN {errors:Array(UUID)} OR trace_id IN {traces:Array(UUID)}
        AND timestamp >= fromUnixTimestamp64Milli({traceFrom:Int64}) AND timestamp <= fromUnixTimestamp64Milli({traceTo:Int64}))`,
    params: {
      replay: asUuid(replay.replayId),
      errors: replay.errorIds.map(asUuid),
      traces: replay.traceIds.map(asUuid),
      feedback: feedbackKind,
      from: replay.startedAt - errorReach.beforeMs,
      to: Math.max(replay.startedAt + errorReach.afterMs, replay.endedAt + traceAfterMs),
      traceFrom: replay.startedAt - traceBeforeMs,
      traceTo: replay.endedAt + traceAfterMs,
    },
  })
  const own = new Set(replay.errorIds)
  return found.map(({ eventId, at, level, title, platform, issue }) => ({
    eventId,
    at,
    level,
    title,
    issue,
    isServer: platform !== 'javascript',
    isOwn: own.has(eventId),
  }))
}
