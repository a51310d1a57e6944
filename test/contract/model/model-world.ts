/** Telemetry of the model on its way through digest, batch by batch, with the clock of its receipt. */
import { expect, vi } from 'vitest'
import { commitBatch } from '#digest/commit-batch.ts'
import { filterBatch } from '#digest/filter-batch.ts'
import { findRepeatedEvents } from '#digest/find-repeated-events.ts'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { writeRows } from '#digest/write-batch.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Control } from '#store/control/control.ts'
import { createIds } from '../../create-ids.ts'
import { makeRecord, type TestItem, testContext } from '../../make-record.ts'
import type { TelemetryUnderTest } from '../start-telemetry.ts'
import type { ModelEvent } from './generate.ts'

const newInboxId = createIds('model inbox')

export type Delivery = { projectId: number; receivedAt: number; envelope: object; items: TestItem[] }

export function createModelDigest(control: Control, store: TelemetryUnderTest) {
  const inboxId = newInboxId()
  let batch = 0
  const stores = {
    telemetry: store.telemetry,
    blobs: openBlobs({ dataDir: store.folder, blobsUrl: undefined }),
    retentionDays: 90,
  }
  return async (deliveries: readonly Delivery[]): Promise<PreparedBatch> => {
    batch += 1
    const last = Math.max(...deliveries.map(({ receivedAt }) => receivedAt))
    vi.setSystemTime(last)
    const records = deliveries.map(({ projectId, receivedAt, envelope, items }) => ({
      processed: processRecord(makeRecord(items, envelope, { projectId, receivedAt }), testContext),
      spool: null,
      receivedAt,
    }))
    const repeated = await findRepeatedEvents(control, records)
    const prepared = await filterBatch({
      control,
      telemetry: store.telemetry,
      inboxId,
      seal: { batch, segment: 1, start: 0, endSegment: 1, end: batch },
      records,
      previous: null,
      mayHaveArrived: false,
      isRepeated: (projectId, eventId) => repeated.has(`${projectId}:${eventId}`),
    })
    expect((await writeRows(prepared, stores)).kind).toBe('done')
    await commitBatch(control, inboxId, prepared)
    return prepared
  }
}

export const deliverEvent = (event: ModelEvent): Delivery => ({
  projectId: event.projectId,
  receivedAt: event.receivedAt,
  envelope: { event_id: event.eventId },
  items: [
    {
      type: 'event',
      payload: {
        event_id: event.eventId,
        timestamp: event.at / 1_000,
        platform: 'javascript',
        level: event.level,
        release: event.release || undefined,
        environment: event.environment,
        user: event.user ? { id: event.user } : undefined,
        tags: { plan: event.plan },
        exception: {
          values: [{ type: event.type, value: 'It failed', mechanism: { type: 'generic', handled: event.isHandled } }],
        },
      },
    },
  ],
})
