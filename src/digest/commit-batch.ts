/**
 * The one control transaction of a batch: counters, new issues and their states, releases, monitors, seen ids, held events, traces, pulse and the cursor, together or not at all.
 * It comes after the rows. A repeat finds the cursor already moved and does nothing.
 */
import type { Transaction } from 'kysely'
import { countEvents, type IssueTouch } from '#domain/issues/counters/count-events.ts'
import { toCountedEvent } from '#domain/issues/counters/counted-event.ts'
import { nameNextRelease } from '#domain/issues/lifecycle/regression.ts'
import { updateLifecycle } from '#domain/issues/lifecycle/update-lifecycle.ts'
import { recordCheckIns } from '#domain/monitors/record-check-ins.ts'
import { endOfSeal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { keepExamples } from './filter/keep-examples.ts'
import { saveTraceMemories } from './follow-traces.ts'
import { deferUsers, settleUsers, withoutUsers } from './link/deferred-users.ts'
import { updateHeldEvents } from './link/held-events.ts'
import { forgetPlans } from './link/plan-batch.ts'
import { saveLinkedGroups, saveServerDigests } from './link/server-groups.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import { recordReleases } from './record-releases.ts'
import { recordBundleUse, recordUnmapped } from './symbolicate/note-unmapped.ts'

export type Cursor = { batch: number; segment: number; position: number }

export async function readCursor(control: Control, inboxId: string): Promise<Cursor> {
  const row = await control.db
    .selectFrom('inbox_cursor')
    .select(['batch', 'segment', 'position'])
    .where('inbox_id', '=', inboxId)
    .executeTakeFirst()
  return row ?? { batch: 0, segment: 0, position: 0 }
}

export const listCursors = (control: Control): Promise<(Cursor & { inboxId: string })[]> =>
  control.db.selectFrom('inbox_cursor').select(['inbox_id as inboxId', 'batch', 'segment', 'position']).execute()

export async function commitBatch(control: Control, inboxId: string, batch: PreparedBatch): Promise<void> {
  await control.db.transaction().execute(async trx => {
    const at = batch.receivedAt
    const moved = await moveCursor(trx, inboxId, batch)
    if (!moved) return
    const isKnown = await knownProjects(trx, [...batch.itemsByProject.keys()])
    const { isDeferred, deferred, replaced } = deferUsers(batch)
    const groupedEvents = batch.groupedEvents.filter(isKnown)
    const touched = await countEvents(trx, control.dialect, withoutUsers(groupedEvents, isDeferred))
    const fresh = await recordReleases(trx, batch, isKnown)
    const arrivals = batch.rows.events.map(toCountedEvent).filter(isKnown)
    await updateLifecycle(trx, control, withoutUsers(arrivals, isDeferred), at)
    await settleUsers(trx, control.dialect, inboxId, {
      deferred: deferred.filter(isKnown),
      replaced,
      at: batch.plan.at,
    })
    await nameNextRelease(trx, fresh, at)
    await recordSeenEvents(trx, batch.dedupeIds.filter(isKnown), at)
    await keepExamples(trx, batch.filtered.filter(isKnown))
    await updateHeldEvents(trx, inboxId, {
      held: batch.held.filter(({ grouped }) => isKnown(grouped)),
      released: batch.plan.released,
      at: batch.plan.at,
    })
    await saveServerDigests(trx, batch.groupedEvents.filter(isKnown), batch.plan.joined, at)
    await saveLinkedGroups(trx, batch.groupedEvents.filter(isKnown), batch.plan.joined)
    await saveTraceMemories(trx, inboxId, batch)
    await forgetPlans(trx, { inboxId, batch: batch.seal.batch })
    await recordCheckIns(trx, batch.monitors.filter(isKnown))
    await recordBundleUse(trx, batch.usedBundleIds, at)
    await recordUnmapped(trx, batch.unmapped.filter(isKnown), at)
    await recordProjectStats(trx, batch, touched)
  })
}

async function moveCursor(
  trx: Transaction<ControlSchema>,
  inboxId: string,
  { seal, receivedAt }: PreparedBatch,
): Promise<boolean> {
  const values = { batch: seal.batch, ...endOfSeal(seal), updated_at: receivedAt }
  const result = await trx
    .insertInto('inbox_cursor')
    .values({ inbox_id: inboxId, ...values })
    .onConflict(conflict =>
      conflict.column('inbox_id').doUpdateSet(values).where('inbox_cursor.batch', '<', seal.batch),
    )
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** A project may have been deleted between the acknowledgement and now: there is nobody left to count for. */
async function knownProjects(
  trx: Transaction<ControlSchema>,
  ids: number[],
): Promise<(one: { projectId: number }) => boolean> {
  const rows = ids.length === 0 ? [] : await trx.selectFrom('project').select('id').where('id', 'in', ids).execute()
  const known = new Set(rows.map(row => row.id))
  return ({ projectId }) => known.has(projectId)
}

async function recordSeenEvents(
  trx: Transaction<ControlSchema>,
  ids: PreparedBatch['dedupeIds'],
  at: number,
): Promise<void> {
  for (let start = 0; start < ids.length; start += 300) {
    await trx
      .insertInto('seen_event')
      .values(
        ids
          .slice(start, start + 300)
          .map(({ projectId, eventId }) => ({ project_id: projectId, event_id: eventId, seen_at: at })),
      )
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

/** What live views watch. The newest event of the batch is named, so that a waiting page can link to it. */
async function recordProjectStats(
  trx: Transaction<ControlSchema>,
  batch: PreparedBatch,
  touched: Map<number, IssueTouch>,
): Promise<void> {
  for (const [projectId, items] of batch.itemsByProject) {
    const touch = touched.get(projectId)
    await trx
      .insertInto('project_stats')
      .values({
        project_id: projectId,
        item_count: items,
        event_count: touch?.events ?? 0,
        last_event_id: touch?.eventId ?? '',
        last_issue_id: touch?.issueId ?? 0,
        updated_at: batch.receivedAt,
      })
      .onConflict(conflict =>
        conflict.column('project_id').doUpdateSet(eb => ({
          item_count: eb('project_stats.item_count', '+', items),
          event_count: eb('project_stats.event_count', '+', touch?.events ?? 0),
          updated_at: batch.receivedAt,
          ...(touch ? { last_event_id: touch.eventId, last_issue_id: touch.issueId } : {}),
        })),
      )
      .execute()
    if (touch) {
      await trx
        .updateTable('project')
        .set({ first_event_at: batch.receivedAt })
        .where('id', '=', projectId)
        .where('first_event_at', 'is', null)
        .execute()
    }
  }
}
