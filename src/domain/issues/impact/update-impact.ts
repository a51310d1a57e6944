/** Keeps the impact of issues up to date: lists sort by it in both stores, and no query could count the users of all issues. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { countUsersIn } from '#lib/user-sketch.ts'
import type { Control } from '#store/control/control.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { appendChanges } from '../change-log/append-changes.ts'
import { hourOf } from '../counters/counted-event.ts'
import { hashPeriods } from '../counters/hash-periods.ts'
import { systemActor } from '../lifecycle/transition.ts'
import { hoursOfImpact, scoreImpact, userSteps } from './score-impact.ts'

type Db = Kysely<ControlSchema>
/** The users of an issue in its last day, and the events of that day when they were counted. */
type CountedUsers = { hour: number; events: number; users: number }
/** Counting users reads a sketch for each hour, so it is done only when it could change the impact. Empty at first. */
export type KnownUsers = Map<number, CountedUsers>

type Options = {
  known: KnownUsers
  now: number
  /** Asked between two portions; false ends the work, and the next run continues. */
  mayGoOn(): Promise<boolean>
}

const hourMs = 3_600_000
/** An issue can have some 200 KB of sketches. */
const issuesAtOnce = 100
const hoursOfUsers = hoursOfImpact - 1

/** Scores the issues that have events in the last day, or had when they were scored last. Returns how many changed. */
export async function updateImpact({ db }: Control, { known, now, mayGoOn }: Options): Promise<number> {
  const issueIds = await listActive(db, now)
  for (const id of known.keys()) if (!issueIds.has(id)) known.delete(id)
  let changed = 0
  for (const ids of chunksOf(
    [...issueIds].sort((a, b) => a - b),
    issuesAtOnce,
  )) {
    if (!(await mayGoOn())) break
    changed += await updateIssues(db, ids, { known, now })
    // The main process accepts events meanwhile.
    await nextTurn()
  }
  return changed
}

async function listActive(db: Db, now: number): Promise<Set<number>> {
  const since = (hourOf(now) - hoursOfImpact) * hourMs
  const rows = await db
    .selectFrom('issue_hash')
    .select('issue_id as id')
    // By project, as the index has them. An hour has no events later than the hash was last seen.
    .where('project_id', 'in', eb => eb.selectFrom('project').select('id'))
    .where('last_seen', '>=', since)
    .union(db.selectFrom('issue').select('id').where('impact', '>', 0))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function updateIssues(db: Db, ids: number[], { known, now }: Omit<Options, 'mayGoOn'>): Promise<number> {
  const hours = Map.groupBy(await readHours(db, ids, now), row => row.issue_id)
  const counts = new Map(
    ids.map(id => [id, new Map((hours.get(id) ?? []).map(({ hour, events }) => [hour ?? 0, Number(events)]))]),
  )
  await countUsers(db, counts, { known, now })
  const issues = await db.selectFrom('issue').select(['id', 'impact']).where('id', 'in', ids).execute()
  const changed = issues.flatMap(({ id, impact }) => {
    const users = known.get(id)?.users ?? 0
    const score = scoreImpact({ users, eventsByHour: counts.get(id) ?? new Map() }, now)
    return score === impact ? [] : [{ id, score }]
  })
  if (changed.length > 0) await writeImpact(db, changed, now)
  return changed.length
}

const readHours = (db: Db, ids: number[], now: number) =>
  periodsOf(db, ids, { since: hourOf(now) - hoursOfImpact, until: hourOf(now) })
    .select(({ fn }) => ['issue_hash.issue_id', 'periods.hour', fn.sum<number>('periods.event_count').as('events')])
    .groupBy(['issue_hash.issue_id', 'periods.hour'])
    .execute()

const periodsOf = (db: Db, ids: number[], hours: { since: number; until: number }) =>
  hashPeriods(
    { issueHashes: () => db.selectFrom('issue_hash') },
    { table: 'hash_hour', column: 'hour', ...hours },
  ).where('issue_hash.issue_id', 'in', ids)

/** Brings `known` up to date. */
async function countUsers(
  db: Db,
  counts: ReadonlyMap<number, ReadonlyMap<number, number>>,
  { known, now }: Pick<Options, 'known' | 'now'>,
): Promise<void> {
  const hour = hourOf(now)
  const events = new Map(
    [...counts].map(([id, byHour]) => [id, [...byHour.values()].reduce((sum, each) => sum + each, 0)]),
  )
  const unsure = [...events].filter(([id, count]) => mayDiffer(known.get(id), hour, count)).map(([id]) => id)
  if (unsure.length === 0) return
  const rows = await periodsOf(db, unsure, { since: hour - hoursOfUsers, until: hour })
    .select(['issue_hash.issue_id', 'periods.user_sketch'])
    .execute()
  const sketches = Map.groupBy(rows, row => row.issue_id)
  for (const id of unsure) {
    const users = countUsersIn((sketches.get(id) ?? []).flatMap(({ user_sketch: sketch }) => sketch ?? []))
    known.set(id, { hour, events: events.get(id) ?? 0, users })
  }
}

/** Within an hour, an issue has at most one more user for each further event. */
function mayDiffer(before: CountedUsers | undefined, hour: number, events: number): boolean {
  if (before === undefined || before.hour !== hour || events < before.events) return true
  return userSteps(before.users + events - before.events) !== userSteps(before.users)
}

type Scored = { id: number; score: number }

async function writeImpact(db: Db, changed: readonly Scored[], now: number): Promise<void> {
  const scores = sql.join(
    changed.map(({ id, score }) => sql`when ${id} then ${sql.lit(score)}`),
    sql` `,
  )
  await retryDeadlocks(() =>
    db.transaction().execute(async trx => {
      const written = await trx
        .updateTable('issue')
        .set({ impact: sql<number>`case id ${scores} else impact end` })
        .where(
          'id',
          'in',
          changed.map(({ id }) => id),
        )
        .returning(['id', 'project_id'])
        .execute()
      await appendChanges(
        trx,
        written.map(({ id, project_id }) => ({
          projectId: project_id,
          issueId: id,
          kind: 'impact',
          at: now,
          actor: systemActor,
        })),
      )
    }),
  )
}
