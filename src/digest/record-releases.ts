/** Remembers when each release was first seen, and gives those that are new, by project. */
import type { Transaction } from 'kysely'
import { cleanRelease } from '#domain/issues/counters/counted-event.ts'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { PreparedBatch } from './prepared-batch.ts'

/** Of one batch. A sender may name a release after the moment; that must not cost the database more than this. */
const maxReleases = 200
const maxVersionChars = 250 // Sentry's own

export async function recordReleases(
  trx: Transaction<ControlSchema>,
  { rows, receivedAt }: Pick<PreparedBatch, 'rows' | 'receivedAt'>,
  isKnown: (one: { projectId: number }) => boolean,
): Promise<Map<number, string[]>> {
  const values = releasesOf(rows)
    .filter(({ project_id }) => isKnown({ projectId: project_id }))
    .slice(0, maxReleases)
    .map(release => ({ ...release, first_seen: receivedAt }))
  const fresh = new Map<number, string[]>()
  for (let start = 0; start < values.length; start += chunkSize) {
    const added = await trx
      .insertInto('project_release')
      .values(values.slice(start, start + chunkSize))
      .onConflict(conflict => conflict.doNothing())
      .returning(['project_id', 'version'])
      .execute()
    for (const { project_id, version } of added) fresh.set(project_id, [...(fresh.get(project_id) ?? []), version])
  }
  return fresh
}

/** A deploy without errors is seen too: by its transactions and sessions. */
function releasesOf(rows: PreparedBatch['rows']): { project_id: number; version: string }[] {
  const found = new Map<string, { project_id: number; version: string }>()
  for (const table of [rows.events, rows.spans, rows.sessions])
    for (const { project_id, release } of table) {
      if (release === '' || release.length > maxVersionChars) continue
      const key = `${project_id}:${release}`
      if (!found.has(key)) found.set(key, { project_id, version: cleanRelease(release) })
    }
  return [...found.values()].sort((a, b) => a.project_id - b.project_id || (a.version < b.version ? -1 : 1))
}
