import type { Viewer } from '../viewer.ts'
import { type Release, readReleases } from './read-releases.ts'

/** The release of exactly this name, from a tool or from events; null where neither has named it. */
export async function findRelease(viewer: Viewer, version: string): Promise<Release | null> {
  const [release] = await readReleases(viewer, { version })
  return release ?? null
}
