/**
 * Everything a batch changes in the control database, in one transaction. It runs after the rows are written.
 * A repeated batch finds that the cursor has moved already and changes nothing.
 */
import type { Transaction } from 'kysely'
import { keepRecommended, toRecommended } from '#domain/events/keep-recommended.ts'
import { recordSeenEvents } from '#domain/events/seen-event-ids.ts'
import { sentKindsOf } from '#domain/events/sent-kinds.ts'
import { type Counting, countEvents } from '#domain/issues/counters/count-events.ts'
import { nameNextRelease } from '#domain/issues/lifecycle/regression.ts'
import { updateLifecycle } from '#domain/issues/lifecycle/update-lifecycle.ts'
import { recordCheckIns } from '#domain/monitors/record-check-ins.ts'
import { recordProjectStats } from '#domain/projects/record-project-stats.ts'
import { recordReleases } from '#domain/releases/record-releases.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { moveCursor } from './cursor.ts'
import { keepFilteredExamples } from './filter/filtered-examples.ts'
import { saveTraceMemories } from './follow-traces.ts'
import { deferUsers, settleUsers, withoutUsers } from './link/deferred-users.ts'
import { updateHeldEvents } from './link/held-events.ts'
import { deletePlans } from './link/plan-batch.ts'
import { countedEvents } from './link/sample-skew.ts'
import { saveLinkedGroups, saveServerDigests } from './link/server-groups.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import { recordBundleUse, recordUnmappedHashes } from './symbolicate/unmapped-hashes.ts'

type Trx = Transaction<ControlSchema>

export async function commitBatch(
  control: Control,
  inboxId: string,
  prepared: PreparedBatch,
  counting: Counting = {},
): Promise<void> {
  await control.db.transaction().execute(async trx => {
    const { seal, receivedAt: at } = prepared
    const isFirstCommit = await moveCursor(trx, inboxId, seal, at)
    if (!isFirstCommit) return
    const batch = await withoutDeletedProjects(trx, prepared)
    const { plan, rows } = batch
    const users = deferUsers(batch)
    const newestEvents = await countEvents(trx, control.dialect, withoutUsers(batch.groupedEvents, users), at, counting)
    const newReleases = await recordReleases(trx, rows)
    await updateLifecycle(trx, control, withoutUsers(countedEvents(batch), users), at)
    await settleUsers(trx, control.dialect, inboxId, users, plan.at)
    await nameNextRelease(trx, newReleases, at)
    await keepRecommended(trx, rows.events.map(toRecommended))
    await recordSeenEvents(trx, batch.dedupeIds, at)
    await keepFilteredExamples(trx, batch.filtered)
    await updateHeldEvents(trx, inboxId, batch.held, plan)
    await saveServerDigests(trx, batch.groupedEvents, plan.joined, at)
    await saveLinkedGroups(trx, batch.groupedEvents, plan.joined)
    await saveTraceMemories(trx, inboxId, batch)
    await deletePlans(trx, { inboxId, batch: seal.batch })
    await recordCheckIns(trx, batch.monitors)
    await recordBundleUse(trx, batch.usedBundleIds, at)
    await recordUnmappedHashes(trx, batch.unmapped, at)
    await recordProjectStats(trx, batch.itemsByProject, newestEvents, sentKindsOf(rows), at)
  })
}

/** A project may have been deleted since its records were accepted. Its items stay counted, everything else of it is left out. */
async function withoutDeletedProjects(trx: Trx, batch: PreparedBatch): Promise<PreparedBatch> {
  const ids = [...batch.itemsByProject.keys()]
  const found = ids.length === 0 ? [] : await trx.selectFrom('project').select('id').where('id', 'in', ids).execute()
  const known = new Set(found.map(row => row.id))
  const isKnown = ({ projectId }: { projectId: number }): boolean => known.has(projectId)
  const isKnownRow = (row: { project_id: number }): boolean => known.has(row.project_id)
  const { rows } = batch
  return {
    ...batch,
    rows: {
      ...rows,
      events: rows.events.filter(isKnownRow),
      spans: rows.spans.filter(isKnownRow),
      sessions: rows.sessions.filter(isKnownRow),
    },
    groupedEvents: batch.groupedEvents.filter(isKnown),
    dedupeIds: batch.dedupeIds.filter(isKnown),
    filtered: batch.filtered.filter(isKnown),
    held: batch.held.filter(({ grouped }) => isKnown(grouped)),
    monitors: batch.monitors.filter(isKnown),
    unmapped: batch.unmapped.filter(isKnown),
    routes: batch.routes.filter(isKnownRow),
    moves: batch.moves.filter(isKnownRow),
  }
}
