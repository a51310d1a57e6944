/** Issues that were resolved in the next release learn which one that is, as soon as anything of it is seen. */
import type { Transaction } from 'kysely'
import { isNewerRelease } from '#lib/is-newer-release.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { readResolution } from '#store/control/status-detail.ts'
import { readFirstSeen } from './read-first-seen.ts'

type Trx = Transaction<ControlSchema>

export async function nameNextRelease(trx: Trx, fresh: ReadonlyMap<number, string[]>, at: number): Promise<void> {
  for (const [projectId, versions] of fresh) {
    const waiting = await trx
      .selectFrom('issue')
      .select('status_detail')
      .distinct()
      .where('project_id', '=', projectId)
      .where('status', '=', 'resolved')
      .where('status_detail', 'like', '{"kind":"next_release"%')
      .execute()
    for (const { status_detail: terms } of waiting) {
      const how = readResolution(terms)
      if (how.kind !== 'next_release' || how.version !== undefined) continue
      const seen = await readFirstSeen(trx, projectId, [how.after])
      const than = { version: how.after, firstSeen: seen(how.after) ?? 0 }
      const next = versions.find(version => isNewerRelease({ version, firstSeen: at }, than))
      if (next === undefined) continue
      await trx
        .updateTable('issue')
        .set({ status_detail: JSON.stringify({ ...how, version: next }) })
        .where('project_id', '=', projectId)
        .where('status', '=', 'resolved')
        .where('status_detail', '=', terms)
        .execute()
    }
  }
}
