/** Records the first event of each release, and gives the new releases by project. */
import type { Transaction } from 'kysely'
import { cleanRelease } from '#domain/issues/counters/counted-event.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** Per batch. A sender may name every release after the current time; that must not cost the database more than this. */
const maxReleases = 200
const maxVersionChars = 250 // Sentry's own

type ReleaseRow = { project_id: number; release: string }
/** Transactions and sessions too: a deploy without errors is also seen. Times of spans are microseconds, others milliseconds. */
type ReleaseRows = {
  events: readonly (ReleaseRow & { timestamp: number })[]
  spans: readonly (ReleaseRow & { timestamp: number })[]
  sessions: readonly (ReleaseRow & { started: number })[]
}
type SeenRelease = { project_id: number; version: string; first_seen: number }

export async function recordReleases(
  trx: Transaction<ControlSchema>,
  rows: ReleaseRows,
): Promise<Map<number, string[]>> {
  const seen = releasesOf(rows).slice(0, maxReleases)
  const newReleases = new Map<number, string[]>()
  for (const chunk of chunksOf(seen)) {
    const added = await trx
      .insertInto('project_release')
      .values(chunk)
      .onConflict(conflict => conflict.doNothing())
      .returning(['project_id', 'version'])
      .execute()
    for (const { project_id, version } of added)
      newReleases.set(project_id, [...(newReleases.get(project_id) ?? []), version])
  }
  for (const release of seen)
    if (!newReleases.get(release.project_id)?.includes(release.version)) await moveFirstSeen(trx, release)
  return newReleases
}

/** An event may arrive after later ones. */
async function moveFirstSeen(trx: Transaction<ControlSchema>, { project_id, version, first_seen }: SeenRelease) {
  await trx
    .updateTable('project_release')
    .set({ first_seen })
    .where('project_id', '=', project_id)
    .where('version', '=', version)
    .where('first_seen', '>', first_seen)
    .execute()
}

function releasesOf({ events, spans, sessions }: ReleaseRows): SeenRelease[] {
  const found = new Map<string, SeenRelease>()
  const add = ({ project_id, release }: ReleaseRow, at: number): void => {
    if (release === '' || release.length > maxVersionChars) return
    const key = `${project_id}:${release}`
    const known = found.get(key)
    if (known === undefined) found.set(key, { project_id, version: cleanRelease(release), first_seen: at })
    else known.first_seen = Math.min(known.first_seen, at)
  }
  for (const row of events) add(row, row.timestamp)
  for (const row of spans) add(row, Math.floor(row.timestamp / 1e3))
  for (const row of sessions) add(row, row.started)
  return [...found.values()].sort((a, b) => a.project_id - b.project_id || (a.version < b.version ? -1 : 1))
}
