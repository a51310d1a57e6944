/**
 * The event that an issue opens with: each point of its detail score counts as much as being half a day newer. So a busy issue opens
 * with one of the last minutes that has everything, and a quiet one with the replay of yesterday rather than with the bare event of
 * today. Digest keeps the best of each hash, and any order of arrival ends in the same one.
 */
import { detailScore } from '#store/telemetry/detail-score.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import { detailScoreIn } from './event-scope.ts'

const pointMs = 12 * 3_600_000
/** A browser's report of an error whose stack the server has sent: the server's is shown instead. It weighs nothing. */
const linkedPoints = -60

/** A client's clock may be ahead, and its events would stay on top. */
export const rankOf = (row: EventRow): number =>
  Math.min(row.timestamp, row.received_at) + (detailScore(row) + (row.weight === 0 ? linkedPoints : 0)) * pointMs

/** The same for the rows of a query. */
export const rankSql = (source: string): string =>
  `toUnixTimestamp64Milli(least(events.timestamp, events.received_at)) + (${detailScoreIn(source)} + if(weight = 0, ${linkedPoints}, 0)) * ${pointMs}`

/** Best first. The id as a text, because UUIDs are ordered by their second half. */
export const byRankSql = (source: string): string => `${rankSql(source)} DESC, toString(events.event_id) DESC`
