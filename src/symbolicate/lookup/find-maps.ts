/** Which uploaded maps lead back from files: the newest upload counts. A few queries for however many files. */
import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import type { MapRef } from '../mapped.ts'
import { findByDebugId } from './find-by-debug-id.ts'
import { findByRelease } from './find-by-release.ts'
import { type WantedMap, wantedKey } from './wanted-map.ts'

/** By `wantedKey`; what is not in it was not found. */
export type FoundMaps = Map<string, MapRef>

export async function findMaps(db: Kysely<ControlSchema>, wanted: readonly WantedMap[]): Promise<FoundMaps> {
  const distinct = [...new Map(wanted.map(each => [wantedKey(each), each])).values()]
  const organizations = await readUploaders(db, [...new Set(distinct.map(({ projectId }) => projectId))])
  const inReach = distinct.filter(({ projectId }) => organizations.has(projectId))
  // Most installations have never seen an upload: for them it ends here.
  if (inReach.length === 0) return new Map()
  const found = await findByDebugId(db, inReach, organizations)
  // A file with an id is one build's: what another build of the release holds under the same address would lead to wrong lines.
  const rest = inReach.filter(({ debugId, release }) => debugId === '' && release !== '')
  for (const [key, ref] of await findByRelease(db, rest)) found.set(key, ref)
  return found
}

/** The organisations of those projects that have uploaded anything, by project. */
async function readUploaders(db: Kysely<ControlSchema>, projectIds: number[]): Promise<Map<number, number>> {
  if (projectIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('project')
    .select(['id', 'organization_id'])
    .where('id', 'in', projectIds)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('artifact_bundle')
          .select('artifact_bundle.id')
          .whereRef('artifact_bundle.organization_id', '=', 'project.organization_id'),
      ),
    )
    .execute()
  return new Map(rows.map(row => [row.id, row.organization_id]))
}
