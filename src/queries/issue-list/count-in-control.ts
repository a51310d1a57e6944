import { countUsers, decodeUserSketch, emptyUserSketch, mergeUserSketches } from '#lib/user-sketch.ts'
import type { Control } from '#store/control/control.ts'
import type { IssueScope } from './issue-filter.ts'
import { type RangeCounts, sparkShape, toBars } from './range-counts.ts'

const dayMs = 86_400_000

/**
 * The same as countInRange, for a list that asks nothing of single events: from the hours and days that digest has counted.
 * They are counted whole, so a day's list begins with the hour in which it began. Null where control does not reach back so
 * far, or an hour is too coarse.
 */
export async function countInControl(
  control: Control,
  issueIds: readonly number[],
  scope: IssueScope,
): Promise<Map<number, RangeCounts> | null> {
  if (scope.to - scope.from < dayMs || !(await reachesBack(control, scope))) return null
  const { bars, barMs } = sparkShape(scope.to - scope.from)
  const now = Math.floor(scope.to / barMs)
  const since = Math.floor(scope.from / barMs)
  const rows = await (barMs < dayMs ? readHours : readDays)(control, issueIds, Math.min(since, now - bars + 1), now)
  const counts = new Map<number, RangeCounts>()
  for (const [id, periods] of Map.groupBy(rows, row => row.issue_id)) {
    const within = periods.filter(({ period }) => period >= since)
    const users = within.reduce(
      (sketch, { user_sketch: bytes }) =>
        bytes === null ? sketch : mergeUserSketches(sketch, decodeUserSketch(bytes)),
      emptyUserSketch,
    )
    counts.set(id, {
      events: Math.round(within.reduce((sum, { event_count: events }) => sum + events, 0)),
      users: countUsers(users),
      bars: toBars(
        periods.map(({ period, event_count: events }) => [now - period, events]),
        bars,
      ),
    })
  }
  return counts
}

function readHours({ db }: Control, issueIds: readonly number[], from: number, to: number) {
  return db
    .selectFrom('issue_hash')
    .innerJoin('hash_hour', join =>
      join
        .onRef('hash_hour.project_id', '=', 'issue_hash.project_id')
        .onRef('hash_hour.group_version', '=', 'issue_hash.group_version')
        .onRef('hash_hour.group_hash', '=', 'issue_hash.group_hash'),
    )
    .select(['issue_hash.issue_id', 'hash_hour.hour as period', 'hash_hour.event_count', 'hash_hour.user_sketch'])
    .where('issue_hash.issue_id', 'in', issueIds)
    .where('hash_hour.hour', '>=', from)
    .where('hash_hour.hour', '<=', to)
    .execute()
}

function readDays({ db }: Control, issueIds: readonly number[], from: number, to: number) {
  return db
    .selectFrom('issue_hash')
    .innerJoin('hash_day', join =>
      join
        .onRef('hash_day.project_id', '=', 'issue_hash.project_id')
        .onRef('hash_day.group_version', '=', 'issue_hash.group_version')
        .onRef('hash_day.group_hash', '=', 'issue_hash.group_hash'),
    )
    .select(['issue_hash.issue_id', 'hash_day.day as period', 'hash_day.event_count', 'hash_day.user_sketch'])
    .where('issue_hash.issue_id', 'in', issueIds)
    .where('hash_day.day', '>=', from)
    .where('hash_day.day', '<=', to)
    .execute()
}

/** Days have been counted since some day: what is older than that was either never there, or is known to telemetry alone. */
async function reachesBack({ db }: Control, { projectIds, from }: IssueScope): Promise<boolean> {
  // Not min(): the first by the index of days ends the search.
  const counted = await db
    .selectFrom('hash_day')
    .select('day')
    .where('project_id', 'in', projectIds)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  const first = counted?.day ?? null
  if (first !== null && from >= (first + 1) * dayMs) return true
  const older = await db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('project_id', 'in', projectIds)
    .where('first_seen', '<', first === null ? Number.MAX_SAFE_INTEGER : first * dayMs)
    .limit(1)
    .executeTakeFirst()
  return older === undefined
}
