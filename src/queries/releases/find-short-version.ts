import type { Viewer } from '../viewer.ts'
import { readReleases } from './read-releases.ts'

/** `1.2.3` for `web@1.2.3`, `a1b2c3d` for a whole commit hash: the one release that this is short for, or null. */
export async function findShortVersion(viewer: Viewer, text: string): Promise<string | null> {
  if (text.length < 1) return null
  const candidates = await readReleases(viewer, { text })
  const meant = candidates.filter(({ version }) => {
    const bare = version.slice(version.lastIndexOf('@') + 1)
    return bare === text || (/^[0-9a-f]{7,39}$/.test(text) && /^[0-9a-f]{40}$/.test(bare) && bare.startsWith(text))
  })
  return meant.length === 1 ? (meant[0]?.version ?? null) : null
}
