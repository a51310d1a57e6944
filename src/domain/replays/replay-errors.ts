/**
 * The errors of a replay are those that it names and those of its project that name it. SDKs name only errors that happen while they
 * record; earlier ones of the same visit name the replay.
 */
import type { Bind } from '#domain/events/event-condition.ts'
import { feedbackKind } from '#lib/event-kind.ts'

/** A visit lasts an hour before its recording at most, and a recording an hour; the rest is for clocks. */
export const errorReach = { beforeMs: 3_600_000, afterMs: 2 * 3_600_000 } as const

const noReplay = '00000000-0000-0000-0000-000000000000'
const mostErrors = 10_000 // of a replay

/** Needs `joinErrors`. */
export const errorIdsSql = 'arrayDistinct(arrayConcat(groupUniqArrayArray(error_ids), any(named_errors)))'
export const hasErrorSql = '(notEmpty(error_ids) OR notEmpty(named_errors))'

/** To be put after `FROM replays`: adds `named_errors` to each segment. The range is that of the starts of the replays. */
export function joinErrors({ from, to }: { from: number; to: number }, bind: Bind, replays?: string): string {
  const { beforeMs, afterMs } = errorReach
  return `LEFT JOIN (
      SELECT project_id AS named_project, replay_id AS named_replay,
        groupUniqArray(${mostErrors})(replaceAll(toString(event_id), '-', '')) AS named_errors
      FROM events
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli(${bind(from - beforeMs, 'Int64')})
        AND timestamp <= fromUnixTimestamp64Milli(${bind(to + afterMs, 'Int64')})
        AND ${replays === undefined ? `replay_id != '${noReplay}'` : `replay_id IN ${replays}`} AND kind != '${feedbackKind}'
      GROUP BY project_id, replay_id
    ) AS named ON named_project = project_id AND named_replay = replay_id`
}

/** For a query that may not need them: reading events costs more than reading replays. */
export const joinErrorsFor = (sql: string, range: { from: number; to: number }, bind: Bind): string =>
  sql.includes('named_errors') ? joinErrors(range, bind) : ''
