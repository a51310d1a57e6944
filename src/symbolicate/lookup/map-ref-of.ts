import { beside } from '../beside.ts'
import type { MapRef } from '../mapped.ts'

export type ArtifactRow = { bundle_id: number; blob_key: string; path: string; kind: string; source_map_ref: string }

/** The map among the uploaded files of one id or address, newest upload first: the map itself, else what the minified file says. */
export function mapRefOf(rows: readonly ArtifactRow[]): MapRef | null {
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

/** A reference that is an address of its own, or the map itself, is read from the file when the time comes. */
function namedMap(minified: ArtifactRow | undefined): string {
  const name = minified?.source_map_ref ?? ''
  if (minified === undefined || name === '' || name.startsWith('/') || /^[a-z]+:/i.test(name)) return ''
  return beside(minified.path, name)
}
