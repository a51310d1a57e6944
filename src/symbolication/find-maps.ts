import type { Kysely } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { MapRef } from './mapped-frame.ts'
import { beside } from './parse-map.ts'

/** By `wantedKey`. */
export type FoundMaps = Map<string, MapRef>

/** Finds the uploaded maps of files, the newest upload first, in a few queries for any number of files. */
export async function findMaps(db: Kysely<ControlSchema>, wanted: readonly WantedMap[]): Promise<FoundMaps> {
  const distinct = [...new Map(wanted.map(each => [wantedKey(each), each])).values()]
  const organizations = await readUploaders(db, [...new Set(distinct.map(({ projectId }) => projectId))])
  const inReach = distinct.filter(({ projectId }) => organizations.has(projectId))
  // Most installations have no uploads.
  if (inReach.length === 0) return new Map()
  const found = await findByDebugId(db, inReach, organizations)
  // A debug id names one build. Another build of the release may have different lines under the same URL, so no fallback.
  const rest = inReach.filter(({ debugId, release }) => debugId === '' && release !== '')
  for (const [key, ref] of await findByRelease(db, rest)) found.set(key, ref)
  return found
}

/** The organizations that have uploads, by project. */
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

/**
 * Debug ids belong to the organization: a build is uploaded once, whichever projects it reports to. But an upload for private projects
 * only serves these: otherwise an event with its debug id, sent to another project, would show their sources.
 */
async function findByDebugId(
  db: Kysely<ControlSchema>,
  wanted: readonly WantedMap[],
  organizations: ReadonlyMap<number, number>,
): Promise<Map<string, MapRef>> {
  const ids = [...new Set(wanted.map(({ debugId }) => debugId).filter(id => id !== ''))]
  const organizationIds = [...new Set(organizations.values())]
  const byId = new Map<string, Awaited<ReturnType<typeof readFiles>>>()
  for (const chunk of chunksOf(ids))
    for (const row of await readFiles(db, chunk, organizationIds)) {
      const key = `${row.organization_id}:${row.debug_id}`
      byId.set(key, [...(byId.get(key) ?? []), row])
    }
  const found = new Map<string, MapRef>()
  const owners = await readPrivateOwners(db, organizationIds, [...byId.values()].flat())
  for (const each of wanted) {
    const files = byId
      .get(`${organizations.get(each.projectId)}:${each.debugId}`)
      ?.filter(({ bundle_id }) => owners.get(bundle_id)?.has(each.projectId) ?? true)
    const ref = files && mapRefOf(files)
    if (ref) found.set(wantedKey(each), ref)
  }
  return found
}

/** The projects of those uploads that are only for private projects. */
async function readPrivateOwners(
  db: Kysely<ControlSchema>,
  organizationIds: readonly number[],
  files: readonly { bundle_id: number }[],
): Promise<Map<number, ReadonlySet<number>>> {
  const secret = await db
    .selectFrom('project')
    .select('id')
    .where('is_private', '=', 1)
    .where('organization_id', 'in', organizationIds)
    .execute()
  // Most organizations have none.
  if (secret.length === 0) return new Map()
  const isPrivate = new Set(secret.map(({ id }) => id))
  const bundleIds = [...new Set(files.map(({ bundle_id }) => bundle_id))]
  const rows = []
  for (const chunk of chunksOf(bundleIds))
    rows.push(
      ...(await db
        .selectFrom('artifact_bundle_project')
        .select(['bundle_id', 'project_id'])
        .where('bundle_id', 'in', chunk)
        .execute()),
    )
  const owners = [...Map.groupBy(rows, row => row.bundle_id)]
    .map(([bundleId, own]) => [bundleId, new Set(own.map(({ project_id }) => project_id))] as const)
    .filter(([, projects]) => [...projects].every(id => isPrivate.has(id)))
  return new Map(owners)
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

/** Bundles of one release. A build uploads a few; of more, the newest belong to the code that runs now. */
const maxBundles = 100

/** For events without debug ids: by release, distribution and URL. */
async function findByRelease(db: Kysely<ControlSchema>, wanted: readonly WantedMap[]): Promise<Map<string, MapRef>> {
  const found = new Map<string, MapRef>()
  const sameBuild = ({ projectId, release, dist }: WantedMap): string => JSON.stringify([projectId, release, dist])
  for (const group of Map.groupBy(wanted, sameBuild).values()) {
    const [first] = group
    const bundleIds = first ? await readBundleIds(db, first) : []
    if (bundleIds.length === 0) continue
    const addresses = [...new Set(group.flatMap(({ file }) => fileAddresses(file).flatMap(withMap)))]
    const rows = await readReleaseFiles(db, bundleIds, addresses)
    for (const each of group) {
      const ref = mapRefOf(rows.filter(({ url }) => fileAddresses(each.file).flatMap(withMap).includes(url)))
      if (ref) found.set(wantedKey(each), ref)
    }
  }
  return found
}

/** A map may be found by the name of its script alone. */
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

async function readReleaseFiles(db: Kysely<ControlSchema>, bundleIds: number[], addresses: string[]) {
  const rows = []
  for (const chunk of chunksOf(addresses))
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
        .where('artifact_file.url', 'in', chunk)
        .execute()),
    )
  return rows.sort((a, b) => b.bundle_id - a.bundle_id || (a.path < b.path ? -1 : 1))
}

type ArtifactRow = { bundle_id: number; blob_key: string; path: string; kind: string; source_map_ref: string }

/** The map among uploaded files, newest first: the map itself, else the one that the minified file references. */
function mapRefOf(rows: readonly ArtifactRow[]): MapRef | null {
  const map = rows.find(({ kind }) => kind === 'source_map')
  const minified = rows.find(
    ({ kind, bundle_id }) => kind === 'minified_source' && (map === undefined || bundle_id === map.bundle_id),
  )
  const first = map ?? minified
  if (first === undefined) return null
  return {
    bundleId: first.bundle_id,
    blobKey: first.blob_key,
    mapPath: map?.path ?? namedMap(minified),
    minifiedPath: minified?.path ?? '',
  }
}

/** Absolute and inline references are read from the minified file later. */
function namedMap(minified: ArtifactRow | undefined): string {
  const name = minified?.source_map_ref ?? ''
  if (minified === undefined || name === '' || name.startsWith('/') || /^[a-z]+:/i.test(name)) return ''
  return beside(minified.path, name)
}

/** A minified file whose map is needed: found by its debug id, else by release and URL. */
export type WantedMap = {
  projectId: number
  /** The file as the stack names it. */
  file: string
  /** Lower case; '' if the event has none for this file. */
  debugId: string
  release: string
  dist: string
}

export const wantedKey = ({ projectId, file, debugId, release, dist }: WantedMap): string =>
  JSON.stringify([projectId, debugId, debugId === '' ? file : '', release, dist])

/** The names of a file in an upload: its URL, and its path on any host (`~`). Without query and fragment. */
export function fileAddresses(file: string): string[] {
  const plain = file.replace(/[?#].*$/s, '')
  const path = plain.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  const anyHost = `~/${path.replace(/^\/+/, '')}`
  return [plain, anyHost]
}
