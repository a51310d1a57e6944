/** Which event, if any, brings a resolved issue back. */
import { isNewerRelease, type SeenRelease } from '#lib/is-newer-release.ts'
import type { ResolvedHow } from '#store/control/status-detail.ts'
import type { Arrival } from './arrival.ts'

type Resolved = { how: ResolvedHow; at: number }

/**
 * Something that happened after the resolution, in a release newer than the resolving one. Where either has no release there is
 * nothing to compare, and the time alone decides. Events of that release and of older ones come from tabs that nobody has
 * reloaded and servers that nobody has updated: they say nothing about the fix.
 */
export function findReturn(
  { how, at }: Resolved,
  arrivals: readonly Arrival[],
  firstSeen: (version: string) => number | undefined,
): Arrival | null {
  const resolving = resolvingRelease(how)
  const than: SeenRelease = { version: resolving, firstSeen: firstSeen(resolving) ?? at }
  const isReturn = ({ timestamp, release }: Arrival): boolean => {
    if (timestamp <= at) return false
    if (release === '' || resolving === '') return true
    return isNewerRelease({ version: release, firstSeen: firstSeen(release) ?? timestamp }, than)
  }
  return arrivals.find(isReturn) ?? null
}

/** "In the next release" means that the fix is in whatever comes after this one: an event of the next one is a return. */
export function resolvingRelease(how: ResolvedHow): string {
  if (how.kind === 'now') return how.release
  return how.kind === 'in_release' ? how.version : how.after
}
