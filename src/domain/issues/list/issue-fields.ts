/**
 * What issues are filtered and sorted by, and how each store has it. Conditions and sorts name these fields, and find-in-control.ts and
 * find-in-telemetry.ts look them up: a field that is added here works in both.
 */
import { type RawBuilder, sql } from 'kysely'
import { mergedUserCount } from '#domain/events/event-condition.ts'
import { impactSteps } from '../impact/score-impact.ts'
import type { MirrorColumn } from '../mirror/mirror-rows.ts'
import type { IssueSort } from './issue-filter.ts'

/** Columns of `issue`. The mirror in telemetry has them under the same names, with the types of `mirrorColumns`. */
export type StateColumn = Extract<
  MirrorColumn,
  'project_id' | 'number' | 'status' | 'substatus' | 'assignee' | 'priority' | 'level' | 'is_unhandled' | 'kind'
>

/** The columns in which words are searched. */
export const textColumns = ['title', 'culprit'] as const satisfies readonly MirrorColumn[]

type MeasureField = {
  /** Over `issue` and the `totals` of its hashes. `ranged` are its events in the time range, if control has counted them. */
  control(ranged: RawBuilder<number> | null): RawBuilder<number>
  /** Over the sums of matching events (`found`) and the `states` of their hashes, of one issue. */
  telemetry: string
  /** A condition on it is about the events of the time range, which only telemetry can count. */
  isOfRange: boolean
}

/**
 * One number out of what makes an issue urgent, each part above all that follow: the level, the impact, whether it is unhandled, and
 * whether it is new or regressed. Fatal and error are one level, because SDKs call every unhandled error of some platforms fatal.
 */
const urgencyOf = { level: 4 * impactSteps, impact: 4, isUnhandled: 2 }

/** Numbers of an issue that it is compared with or sorted by. Times are milliseconds. */
export const measureFields: Readonly<Record<Measure, MeasureField>> = {
  firstSeen: {
    control: () => sql`totals.first_seen`,
    telemetry: 'min(states.first_seen)',
    isOfRange: false,
  },
  lastSeen: {
    control: () => sql`totals.last_seen`,
    telemetry: 'toUnixTimestamp64Milli(max(found.last_seen))',
    isOfRange: false,
  },
  events: {
    control: ranged => ranged ?? sql`totals.events`,
    telemetry: 'toInt64(round(sum(found.events)))',
    isOfRange: true,
  },
  users: { control: () => sql`totals.users`, telemetry: mergedUserCount('found'), isOfRange: true },
  urgency: {
    control: () =>
      sql`(case issue.level when 'fatal' then 2 when 'error' then 2 when 'warning' then 1 else 0 end) * ${sql.lit(urgencyOf.level)}
        + issue.impact * ${sql.lit(urgencyOf.impact)} + issue.is_unhandled * ${sql.lit(urgencyOf.isUnhandled)}
        + (case issue.substatus when 'new' then 1 when 'regressed' then 1 else 0 end)`,
    telemetry: `toInt64(max(transform(states.level, ['fatal', 'error', 'warning'], [2, 2, 1], 0) * ${urgencyOf.level}
      + states.impact * ${urgencyOf.impact} + states.is_unhandled * ${urgencyOf.isUnhandled}
      + (states.substatus IN ('new', 'regressed'))))`,
    isOfRange: false,
  },
}

export type Measure = 'firstSeen' | 'lastSeen' | 'events' | 'users' | 'urgency'

/** The keys of each sort, the first one first. All descend, and the issue's id is the last. */
export const sortMeasures: Readonly<Record<IssueSort, readonly Measure[]>> = {
  urgency: ['urgency', 'events'],
  lastSeen: ['lastSeen'],
  firstSeen: ['firstSeen'],
  events: ['events'],
  users: ['users'],
}
