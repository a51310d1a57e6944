import type { Kysely } from 'kysely'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { MapRef } from '../mapped.ts'
import { mapRefOf } from './map-ref-of.ts'
import { type WantedMap, wantedKey } from './wanted-map.ts'

/** An id belongs to the organisation and not to a project: a build is uploaded once, whichever projects it reports to. */
export async function findByDebugId(
  db: Kysely<ControlSchema>,
  wanted: readonly WantedMap[],
  organizations: ReadonlyMap<number, number>,
): Promise<Map<string, MapRef>> {
  const ids = [...new Set(wanted.map(({ debugId }) => debugId).filter(id => id !== ''))]
  const organizationIds = [...new Set(organizations.values())]
  const byId = new Map<string, Awaited<ReturnType<typeof readFiles>>>()
  for (let start = 0; start < ids.length; start += chunkSize)
    for (const row of await readFiles(db, ids.slice(start, start + chunkSize), organizationIds)) {
      const key = `${row.organization_id}:${row.debug_id}`
      byId.set(key, [...(byId.get(key) ?? []), row])
    }
  const found = new Map<string, MapRef>()
  for (const each of wanted) {
    const files = byId.get(`${organizations.get(each.projectId)}:${each.debugId}`)
    const ref = files && mapRefOf(files)
    if (ref) found.set(wantedKey(each), ref)
  }
  return found
}

/** Newest upload first. */
function readFiles(db: Kysely<ControlSchema>, debugIds: string[], organizationIds: number[]) {
  return db
    .selectFrom('artifact_file')
    .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_file.bundle_id')
    .select([
      'artifact_bundle.organization_id',
      'artifact_bundle.blob_key',
      'artifact_file.bundle_id',
      'artifact_file.path',
      'artifact_file.kind',
      'artifact_file.debug_id',
      'artifact_file.source_map_ref',
    ])
    .where('artifact_file.debug_id', 'in', debugIds)
    .where('artifact_bundle.organization_id', 'in', organizationIds)
    .orderBy('artifact_file.bundle_id', 'desc')
    .orderBy('artifact_file.path')
    .execute()
}
