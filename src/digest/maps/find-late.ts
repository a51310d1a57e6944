/** Which unmapped hashes have a map by now. */
import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

export type LateHash = {
  project_id: number
  group_version: number
  group_hash: string
  event_id: string
  /** The newest upload that may know it. */
  bundle_id: number
}

/** Hashes at a time; the rest waits for the next round. */
export const mostLate = 100

export type Since = {
  /** Uploads after this one are new; 0 means that all are. */
  bundleId: number
  /** What was noted after this moment may have been digested while its map arrived. */
  seenAt: number
}

export async function findLate(db: Kysely<ControlSchema>, since: Since): Promise<LateHash[]> {
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
    .limit(mostLate)
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
    .limit(mostLate)
    .execute()
  return [...byId, ...byRelease].map(row => ({ ...row, bundle_id: Number(row.bundle_id) }))
}

const columns = ['waiting.project_id', 'waiting.group_version', 'waiting.group_hash', 'waiting.event_id'] as const
