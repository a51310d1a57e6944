import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import { deleteRows } from '#store/telemetry/delete-rows.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { hasId } from '#store/telemetry/user-rows.ts'
import { findReplay, listSegments } from './find-replay.ts'

type Stores = { telemetry: Telemetry; layout: TableLayout; blobs: Blobs }
type Outcome = { ok: true } | { ok: false; code: 'replay_not_found' }

/** Deletes a replay: its recordings first, then the rows that lead to them, so that after a failure it can be repeated. */
export async function deleteReplay(
  context: CommandContext,
  { viewer, stores, replayId }: { viewer: Viewer; stores: Stores; replayId: string },
): Promise<Outcome> {
  const replay = await findReplay(viewer, replayId)
  if (replay === null) return { ok: false, code: 'replay_not_found' }
  for (const { blob } of await listSegments(viewer, replay)) await stores.blobs.remove(blob)
  const where = hasId('replay_id', [replay.projectId], [asUuid(replay.replayId)])
  for (const table of ['replay_moments', 'replays'] as const)
    await deleteRows(stores.telemetry, stores.layout, table, where)
  return inTransaction(context, async inner => {
    await writeAudit(inner, {
      organizationId: viewer.organization.id,
      action: 'replay.delete',
      target: `replay:${replay.replayId}`,
      label: replay.replayId.slice(0, 8),
    })
    return { ok: true }
  })
}
