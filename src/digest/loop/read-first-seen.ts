import type { Transaction } from 'kysely'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** When the given releases of a project were first seen; undefined for one that never was. */
export async function readFirstSeen(
  trx: Transaction<ControlSchema>,
  projectId: number,
  versions: Iterable<string>,
): Promise<(version: string) => number | undefined> {
  const wanted = [...new Set(versions)].filter(version => version !== '')
  const seen = new Map<string, number>()
  for (let start = 0; start < wanted.length; start += chunkSize) {
    const rows = await trx
      .selectFrom('project_release')
      .select(['version', 'first_seen'])
      .where('project_id', '=', projectId)
      .where('version', 'in', wanted.slice(start, start + chunkSize))
      .execute()
    for (const row of rows) seen.set(row.version, row.first_seen)
  }
  return version => seen.get(version)
}
