import { compareReleases } from './compare-releases.ts'

export type SeenRelease = { version: string; firstSeen: number }

/** By their names where these tell; else the one that was first seen later is newer. */
export function isNewerRelease(candidate: SeenRelease, than: SeenRelease): boolean {
  const order = compareReleases(candidate.version, than.version)
  return order === null ? candidate.firstSeen > than.firstSeen : order > 0
}

export function newestRelease(releases: readonly SeenRelease[]): SeenRelease | null {
  let newest: SeenRelease | null = null
  for (const release of releases) if (newest === null || isNewerRelease(release, newest)) newest = release
  return newest
}
