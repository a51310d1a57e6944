import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Sighting } from '../yield.ts'
import type { JoinTarget } from './batch-plan.ts'

/** In the transaction that commits the batch: which group of another project a group of browsers' errors stands for. */
export async function rememberEchoes(
  trx: Transaction<ControlSchema>,
  sightings: readonly Sighting[],
  joined: Readonly<Record<string, JoinTarget>>,
): Promise<void> {
  const rows = new Map<string, ControlSchema['hash_echo']>()
  for (const { eventId, projectId, groupVersion, groupHash } of sightings) {
    const abroad = joined[eventId]?.abroad
    if (abroad === undefined) continue
    rows.set(`${projectId}:${groupHash}`, {
      project_id: projectId,
      group_version: groupVersion,
      group_hash: groupHash,
      server_project_id: abroad.projectId,
      server_hash: abroad.hash,
    })
  }
  for (const row of rows.values())
    await trx
      .insertInto('hash_echo')
      .values(row)
      .onConflict(conflict => conflict.doNothing())
      .execute()
}
