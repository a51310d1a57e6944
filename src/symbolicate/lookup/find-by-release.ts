/** For events without debug ids: by release, distribution and address. */
import type { Kysely } from 'kysely'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { MapRef } from '../mapped.ts'
import { fileAddresses } from './file-addresses.ts'
import { mapRefOf } from './map-ref-of.ts'
import { type WantedMap, wantedKey } from './wanted-map.ts'

/** Bundles of one release. A build makes one or a handful; where there are more, the newest hold what runs now. */
const maxBundles = 100

export async function findByRelease(
  db: Kysely<ControlSchema>,
  wanted: readonly WantedMap[],
): Promise<Map<string, MapRef>> {
  const found = new Map<string, MapRef>()
  const sameBuild = ({ projectId, release, dist }: WantedMap): string => JSON.stringify([projectId, release, dist])
  for (const group of Map.groupBy(wanted, sameBuild).values()) {
    const [first] = group
    const bundleIds = first ? await readBundleIds(db, first) : []
    if (bundleIds.length === 0) continue
    const addresses = [...new Set(group.flatMap(({ file }) => fileAddresses(file).flatMap(withMap)))]
    const rows = await readFiles(db, bundleIds, addresses)
    for (const each of group) {
      const ref = mapRefOf(rows.filter(({ url }) => fileAddresses(each.file).flatMap(withMap).includes(url)))
      if (ref) found.set(wantedKey(each), ref)
    }
  }
  return found
}

/** A map that is called like its file needs no other link to it. */
const withMap = (address: string): string[] => [address, `${address}.map`]

async function readBundleIds(db: Kysely<ControlSchema>, { projectId, release, dist }: WantedMap): Promise<number[]> {
  const rows = await db
    .selectFrom('artifact_bundle_release')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle_release.bundle_id')
    .select('artifact_bundle_release.bundle_id')
    .where('artifact_bundle_release.release', '=', release)
    .where('artifact_bundle_release.dist', '=', dist)
    .where('artifact_bundle_project.project_id', '=', projectId)
    .orderBy('artifact_bundle_release.bundle_id', 'desc')
    .limit(maxBundles)
    .execute()
  return rows.map(row => row.bundle_id)
}

async function readFiles(db: Kysely<ControlSchema>, bundleIds: number[], addresses: string[]) {
  const rows = []
  for (let start = 0; start < addresses.length; start += chunkSize)
    rows.push(
      ...(await db
        .selectFrom('artifact_file')
        .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact_file.bundle_id')
        .select([
          'artifact_bundle.blob_key',
          'artifact_file.bundle_id',
          'artifact_file.path',
          'artifact_file.kind',
          'artifact_file.url',
          'artifact_file.source_map_ref',
        ])
        .where('artifact_file.bundle_id', 'in', bundleIds)
        .where('artifact_file.url', 'in', addresses.slice(start, start + chunkSize))
        .execute()),
    )
  return rows.sort((a, b) => b.bundle_id - a.bundle_id || (a.path < b.path ? -1 : 1))
}
