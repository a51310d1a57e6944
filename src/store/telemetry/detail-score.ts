/** The detail score of an event: how well it shows its issue. Issue pages open the recent event with the highest score. */
import { type EventRow, noId } from './rows.ts'

/** Each column that has a value adds its points: a replay, a user, a trace, a URL. */
const details = [
  { column: 'replay_id', none: noId, points: 4 },
  { column: 'user_hash', none: '0', points: 2 },
  { column: 'trace_id', none: noId, points: 2 },
  { column: 'url', none: '', points: 1 },
] as const satisfies { column: keyof EventRow; none: string; points: number }[]

export const detailScore = (event: EventRow): number =>
  details.reduce((score, { column, none, points }) => (String(event[column]) === none ? score : score + points), 0)

/** The same for a row of `events`: ClickHouse reads the text as a value of the column. */
export const detailScoreSql = `toUInt8(${details.map(({ column, none, points }) => `(${column} != '${none}') * ${points}`).join(' + ')})`
