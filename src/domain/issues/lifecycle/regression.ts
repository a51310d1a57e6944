import type { Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { isNewerRelease, type SeenRelease } from '#lib/compare-releases.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type ResolvedHow, readResolution, termColumns } from '#store/control/status-detail.ts'
import type { CountedEvent } from '../counters/counted-event.ts'
import { type TouchedIssue, transitionIssue } from './transition.ts'

type Resolved = { how: ResolvedHow; at: number }

/**
 * The event that makes a resolved issue a regression, or null. It must have occurred after the resolution: one that was only
 * delivered late says nothing about the fix. If the issue was resolved in a release or in the next one, only events of newer
 * releases count, because tabs and servers keep running old code. Without a release on the event, the time alone decides.
 */
export function findRegression(
  { how, at }: Resolved,
  newEvents: readonly CountedEvent[],
  firstSeen: (version: string) => number | undefined,
): CountedEvent | null {
  const resolving = resolvingRelease(how)
  const than: SeenRelease = { version: resolving, firstSeen: firstSeen(resolving) ?? at }
  const isRegression = ({ occurredAt, release }: CountedEvent): boolean => {
    if (occurredAt <= at) return false
    if (release === '' || resolving === '') return true
    return isNewerRelease({ version: release, firstSeen: firstSeen(release) ?? occurredAt }, than)
  }
  return newEvents.find(isRegression) ?? null
}

/** The release that an event must be newer than; empty for a plain resolution. With `next_release`, that release already counts as newer. */
function resolvingRelease(how: ResolvedHow): string {
  if (how.kind === 'now') return ''
  return how.kind === 'in_release' ? how.version : how.after
}

/** Reopens the resolved issues that have a regression. */
export async function reopenRegressed(
  trx: Transaction<ControlSchema>,
  resolved: readonly TouchedIssue[],
  at: number,
): Promise<void> {
  for (const [projectId, issues] of Map.groupBy(resolved, issue => issue.project_id)) {
    const resolutions = issues.map(issue => ({ issue, how: readResolution(issue.status_detail) }))
    const versions = resolutions.flatMap(({ issue, how }) => [
      resolvingRelease(how),
      ...issue.newEvents.map(event => event.release),
    ])
    const firstSeen = await readFirstSeen(trx, projectId, versions)
    for (const { issue, how } of resolutions) {
      const regression = findRegression({ how, at: issue.status_at }, issue.newEvents, firstSeen)
      if (regression === null) continue
      const cause = { release: regression.release, eventId: regression.eventId }
      const detail = { ...cause, resolved: how }
      const state = { status: 'unresolved', substatus: 'regressed', kind: 'regressed' } as const
      await transitionIssue(trx, issue, { ...state, detail, cause }, at)
    }
  }
}

type Trx = Transaction<ControlSchema>

/** Writes the version into issues that were resolved in the next release, as soon as that release is first seen. */
export async function nameNextRelease(trx: Trx, fresh: ReadonlyMap<number, string[]>, at: number): Promise<void> {
  for (const [projectId, versions] of fresh) {
    const waiting = await trx
      .selectFrom('issue')
      .select('waits_after as after')
      .distinct()
      .where('project_id', '=', projectId)
      .where('waits_after', 'is not', null)
      .execute()
    for (const { after } of waiting) {
      if (after === null) continue
      const seen = await readFirstSeen(trx, projectId, [after])
      const than = { version: after, firstSeen: seen(after) ?? 0 }
      const next = versions.find(version => isNewerRelease({ version, firstSeen: at }, than))
      if (next === undefined) continue
      const status_detail = JSON.stringify({ kind: 'next_release', after, version: next } satisfies ResolvedHow)
      await trx
        .updateTable('issue')
        .set({ status_detail, ...termColumns('resolved', status_detail) })
        .where('project_id', '=', projectId)
        .where('waits_after', '=', after)
        .execute()
    }
  }
}

/** When the given releases of a project were first seen; undefined for an unknown one. */
async function readFirstSeen(
  trx: Transaction<ControlSchema>,
  projectId: number,
  versions: Iterable<string>,
): Promise<(version: string) => number | undefined> {
  const wanted = [...new Set(versions)].filter(version => version !== '')
  const seen = new Map<string, number>()
  for (const chunk of chunksOf(wanted)) {
    const rows = await trx
      .selectFrom('project_release')
      .select(['version', 'first_seen'])
      .where('project_id', '=', projectId)
      .where('version', 'in', chunk)
      .execute()
    for (const row of rows) seen.set(row.version, row.first_seen)
  }
  return version => seen.get(version)
}
