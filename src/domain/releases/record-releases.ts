/** Records when each release was first seen, and gives the new ones by project. */
import type { Transaction } from 'kysely'
import { cleanRelease } from '#domain/issues/counters/counted-event.ts'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** Per batch. A sender may name every release after the current time; that must not cost the database more than this. */
const maxReleases = 200
const maxVersionChars = 250 // Sentry's own

type ReleaseRow = { project_id: number; release: string }
/** Transactions and sessions too: a deploy without errors is also seen. */
type ReleaseRows = { events: readonly ReleaseRow[]; spans: readonly ReleaseRow[]; sessions: readonly ReleaseRow[] }

export async function recordReleases(
  trx: Transaction<ControlSchema>,
  rows: ReleaseRows,
  at: number,
): Promise<Map<number, string[]>> {
  const values = releasesOf(rows)
    .slice(0, maxReleases)
    .map(release => ({ ...release, first_seen: at }))
  const newReleases = new Map<number, string[]>()
  for (let start = 0; start < values.length; start += chunkSize) {
    const added = await trx
      .insertInto('project_release')
      .values(values.slice(start, start + chunkSize))
      .onConflict(conflict => conflict.doNothing())
      .returning(['project_id', 'version'])
      .execute()
    for (const { project_id, version } of added)
      newReleases.set(project_id, [...(newReleases.get(project_id) ?? []), version])
  }
  return newReleases
}

function releasesOf({ events, spans, sessions }: ReleaseRows): { project_id: number; version: string }[] {
  const found = new Map<string, { project_id: number; version: string }>()
  for (const rows of [events, spans, sessions])
    for (const { project_id, release } of rows) {
      if (release === '' || release.length > maxVersionChars) continue
      const key = `${project_id}:${release}`
      if (!found.has(key)) found.set(key, { project_id, version: cleanRelease(release) })
    }
  return [...found.values()].sort((a, b) => a.project_id - b.project_id || (a.version < b.version ? -1 : 1))
}
