/** Which event, if any, brings a resolved issue back. */
import { isNewerRelease, type SeenRelease } from '#lib/is-newer-release.ts'
import type { ResolvedHow } from '#store/control/status-detail.ts'
import type { Arrival } from './arrival.ts'

type Resolved = { how: ResolvedHow; at: number }

/**
 * An event that occurred after the resolution; one that occurred before and was delivered late says nothing about the fix. Of an issue
 * resolved in a release or in the next one, only events of newer releases count: the others come from tabs that nobody has reloaded
 * and servers that nobody has updated. Where the event has no release, the time alone decides.
 */
export function findReturn(
  { how, at }: Resolved,
  arrivals: readonly Arrival[],
  firstSeen: (version: string) => number | undefined,
): Arrival | null {
  const resolving = resolvingRelease(how)
  const than: SeenRelease = { version: resolving, firstSeen: firstSeen(resolving) ?? at }
  const isReturn = ({ occurredAt, release }: Arrival): boolean => {
    if (occurredAt <= at) return false
    if (release === '' || resolving === '') return true
    return isNewerRelease({ version: release, firstSeen: firstSeen(release) ?? occurredAt }, than)
  }
  return arrivals.find(isReturn) ?? null
}

/** The release that an event must be newer than; none for a plain resolution. An event of the next release itself is a regression. */
export function resolvingRelease(how: ResolvedHow): string {
  if (how.kind === 'now') return ''
  return how.kind === 'in_release' ? how.version : how.after
}
