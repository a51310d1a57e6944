/**
 * Merges a hash of minified frames with the hash that its events get with their source map: both belong to one issue. Like a merge, it
 * moves hash rows. The older issue wins, unless the other one has more hashes. A hash that a user or an earlier map has moved stays.
 */
import type { Kysely, Transaction } from 'kysely'
import { appendChanges } from '#domain/issues/change-log/append-changes.ts'
import { sketchUsers } from '#domain/issues/counters/counted-event.ts'
import { systemActor } from '#domain/issues/lifecycle/transition.ts'
import type { Grouping } from '#grouping/group-event.ts'
import type { Control } from '#store/control/control.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

type Trx = Transaction<ControlSchema>
type Key = { version: number; hash: string }
type MergeResult = 'moved' | 'added' | 'left'

export function mergeHash(control: Control, late: LateHash, mapped: Grouping, at: number): Promise<MergeResult> {
  return retryDeadlocks(() => control.db.transaction().execute(trx => mergeInto(trx, late, mapped, at)))
}

async function mergeInto(trx: Trx, late: LateHash, mapped: Grouping, at: number): Promise<MergeResult> {
  const old = { version: late.group_version, hash: late.group_hash }
  const known = await readRows(trx, late.project_id, [old, mapped])
  await lockIssues(
    trx,
    [...known.values()].map(row => row.issue_id),
  )
  // Read again under the locks: a command may have moved them in between.
  const rows = await readRows(trx, late.project_id, [old, mapped])
  const from = rows.get(old.hash)
  const to = rows.get(mapped.hash)
  await trx
    .deleteFrom('unmapped_hash')
    .where('project_id', '=', late.project_id)
    .where('group_version', '=', old.version)
    .where('group_hash', '=', old.hash)
    .execute()
  if (from === undefined || from.hash === mapped.hash || from.issue_id === to?.issue_id) return 'left'
  if (to === undefined) return addHash(trx, from, mapped, at)
  const isAlone = async (row: HashRow): Promise<boolean> =>
    row.home_issue_id === null && (await countHashes(trx, row.issue_id)) === 1
  if (to.issue_id > from.issue_id && (await isAlone(to))) return move(trx, to, from.issue_id, mapped, at)
  return (await isAlone(from)) ? move(trx, from, to.issue_id, mapped, at) : 'left'
}

type HashRow = Awaited<ReturnType<typeof readRows>> extends Map<string, infer Row> ? Row : never

async function readRows(trx: Trx, projectId: number, keys: Key[]) {
  const rows = await trx
    .selectFrom('issue_hash')
    .select([
      'project_id',
      'group_version as version',
      'group_hash as hash',
      'issue_id',
      'home_issue_id',
      'first_seen',
      'last_seen',
      'first_release',
      'last_release',
      'last_event_id',
    ])
    .where('project_id', '=', projectId)
    .where(({ or, and, eb }) =>
      or(keys.map(({ version, hash }) => and([eb('group_version', '=', version), eb('group_hash', '=', hash)]))),
    )
    .execute()
  return new Map(rows.map(row => [row.hash, row]))
}

/** In ascending order, as commands do. An update that changes nothing locks the row on both databases. */
async function lockIssues(trx: Trx, ids: number[]): Promise<void> {
  for (const id of [...new Set(ids)].sort((a, b) => a - b))
    await trx
      .updateTable('issue')
      .set(eb => ({ title: eb.ref('title') }))
      .where('id', '=', id)
      .execute()
}

async function countHashes(trx: Trx, issueId: number): Promise<number> {
  const rows = await trx
    .selectFrom('issue_hash')
    .select('group_hash')
    .where(({ or, eb }) => or([eb('issue_id', '=', issueId), eb('home_issue_id', '=', issueId)]))
    .limit(2)
    .execute()
  return rows.length
}

/** The new hash has no events yet: it starts with a count of 0 in the issue of the old hash. */
async function addHash(trx: Trx, from: HashRow, mapped: Grouping, at: number): Promise<MergeResult> {
  const { issue_id, home_issue_id, project_id, first_seen, last_seen, first_release, last_release, last_event_id } =
    from
  const added = await trx
    .insertInto('issue_hash')
    .values({
      project_id,
      group_version: mapped.version,
      group_hash: mapped.hash,
      issue_id,
      home_issue_id,
      event_count: 0,
      first_seen,
      last_seen,
      first_release,
      last_release,
      last_event_id,
      ...sketchUsers(null, new Set()),
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  // Digest has just created an issue for it. The next minified event records the unmapped hash again.
  if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return 'left'
  await recordMapped(trx, project_id, issue_id, mapped, at)
  return 'added'
}

async function move(trx: Trx, row: HashRow, issueId: number, mapped: Grouping, at: number): Promise<MergeResult> {
  await trx
    .updateTable('issue_hash')
    .set({ issue_id: issueId, home_issue_id: row.issue_id })
    .where('project_id', '=', row.project_id)
    .where('group_version', '=', row.version)
    .where('group_hash', '=', row.hash)
    .execute()
  await recordMapped(trx, row.project_id, issueId, mapped, at)
  await appendChanges(trx, [
    { projectId: row.project_id, issueId: row.issue_id, kind: 'hashes', at, actor: systemActor },
  ])
  return 'moved'
}

/** Updates the culprit and adds an activity. */
async function recordMapped(
  trx: Trx,
  projectId: number,
  issueId: number,
  { culprit }: Grouping,
  at: number,
): Promise<void> {
  await trx.updateTable('issue').set({ culprit }).where('id', '=', issueId).execute()
  const entry = { issue_id: issueId, project_id: projectId, at, actor: systemActor, kind: 'mapped', detail: '{}' }
  await trx.insertInto('issue_activity').values(entry).execute()
  await appendChanges(trx, [{ projectId, issueId, kind: 'hashes', at, actor: systemActor }])
}

export type LateHash = {
  project_id: number
  group_version: number
  group_hash: string
  event_id: string
  /** The newest artifact bundle that may have its source map. */
  bundle_id: number
}

/** Hashes per round. */
export const maxLateHashes = 100

export type Since = {
  /** Newer bundles count as new; 0 means all of them. */
  bundleId: number
  /** Hashes recorded after this time may have been digested while their map was uploaded. */
  seenAt: number
}

/** Unmapped hashes whose source map has been uploaded since. */
export async function findLateHashes(db: Kysely<ControlSchema>, since: Since): Promise<LateHash[]> {
  const byId = await db
    .selectFrom('unmapped_hash as waiting')
    .innerJoin('project', 'project.id', 'waiting.project_id')
    .innerJoin('artifact_file as file', 'file.debug_id', 'waiting.debug_id')
    .innerJoin('artifact_bundle as bundle', 'bundle.id', 'file.bundle_id')
    .select(({ fn }) => [...columns, fn.max('bundle.id').as('bundle_id')])
    .where('waiting.debug_id', '!=', '')
    .whereRef('bundle.organization_id', '=', 'project.organization_id')
    .whereRef('bundle.id', '>', 'waiting.tried_bundle_id')
    .where(({ or, eb }) => or([eb('bundle.id', '>', since.bundleId), eb('waiting.seen_at', '>=', since.seenAt)]))
    .groupBy(columns)
    .limit(maxLateHashes)
    .execute()
  const byRelease = await db
    .selectFrom('unmapped_hash as waiting')
    .innerJoin('artifact_bundle_release as build', join =>
      join.onRef('build.release', '=', 'waiting.release').onRef('build.dist', '=', 'waiting.dist'),
    )
    .innerJoin('artifact_bundle_project as own', join =>
      join.onRef('own.bundle_id', '=', 'build.bundle_id').onRef('own.project_id', '=', 'waiting.project_id'),
    )
    .select(({ fn }) => [...columns, fn.max('build.bundle_id').as('bundle_id')])
    .where('waiting.debug_id', '=', '')
    .whereRef('build.bundle_id', '>', 'waiting.tried_bundle_id')
    .where(({ or, eb }) => or([eb('build.bundle_id', '>', since.bundleId), eb('waiting.seen_at', '>=', since.seenAt)]))
    .groupBy(columns)
    .limit(maxLateHashes)
    .execute()
  return [...byId, ...byRelease].map(row => ({ ...row, bundle_id: Number(row.bundle_id) }))
}

const columns = ['waiting.project_id', 'waiting.group_version', 'waiting.group_hash', 'waiting.event_id'] as const
