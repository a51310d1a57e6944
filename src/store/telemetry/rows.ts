/** The rows of the telemetry tables, as `tables.ts` defines their columns. The writer adds `batch_id`. */
import type { Column } from './tables/define-table.ts'
import type { TableName, tables } from './tables.ts'

export type { TableName } from './tables.ts'

export const noId = '00000000000000000000000000000000'

export type Attributes = Record<string, string>
export type Numbers = Record<string, number>

type ValueOf<Of> = Of extends Column<infer Value> ? Value : never
export type Rows = {
  [Table in TableName]: {
    -readonly [Name in Exclude<keyof (typeof tables)[Table]['columns'], 'batch_id'>]: ValueOf<
      (typeof tables)[Table]['columns'][Name]
    >
  }
}

export type EventRow = Rows['events']
export type EventIndexRow = Rows['event_index']
/** A span of a transaction or a streamed one; rows do not tell which. */
export type SpanRow = Rows['spans']
export type LogRow = Rows['logs']
export type MetricRow = Rows['metrics']
export type SessionRow = Rows['sessions']
export type FeedbackRow = Rows['feedback']
export type AttachmentRow = Rows['attachments']
export type ReplayRow = Rows['replays']
export type ReplayMomentRow = Rows['replay_moments']
export type ProfileRow = Rows['profiles']
export type OutcomeRow = Rows['outcomes']
/** `bucket` is the start of a five-minute interval. */
export type RouteRollupRow = Rows['route_sums']
/** What one function adds to a route in five minutes. */
export type ProfileSumRow = Rows['profile_sums']
