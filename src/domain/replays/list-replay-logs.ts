import type { Viewer } from '#domain/access/viewer.ts'
import { type LogLine, lineColumns, lineRow } from '#domain/logs/log-line.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import type { ReplaySummary } from './read-summaries.ts'

const maxLines = 1_000
const minuteMs = 60_000

/** The log lines of a replay: those that name it, and those of servers in the traces of its requests. */
export const listReplayLogs = (viewer: Viewer, replay: ReplaySummary): Promise<LogLine[]> =>
  viewer.telemetry.query({
    query: `
      SELECT ${lineColumns} FROM logs
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
        AND (replay_id = {replay:UUID} OR trace_id IN {traces:Array(UUID)})
      ORDER BY timestamp, sequence, log_id LIMIT ${maxLines}`,
    params: {
      replay: asUuid(replay.replayId),
      traces: replay.traceIds.map(asUuid),
      from: replay.startedAt - minuteMs,
      to: replay.endedAt + minuteMs,
    },
    schema: lineRow,
  })
