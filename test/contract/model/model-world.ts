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
import type { ModelEvent, ModelLog, ModelSession, ModelVisit } from './generate.ts'

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

/** The same batches in another control database: rows of telemetry know no issues, so both read the same. */
export function commitAgain(control: Control) {
  const inboxId = newInboxId()
  return async (batches: readonly PreparedBatch[]): Promise<void> => {
    for (const batch of batches) {
      vi.setSystemTime(batch.receivedAt)
      await commitBatch(control, inboxId, batch)
    }
  }
}

const seconds = (ms: number): number => ms / 1_000

export const deliverEvent = (event: ModelEvent): Delivery => ({
  projectId: event.projectId,
  receivedAt: event.receivedAt,
  envelope: { event_id: event.eventId },
  items: [
    {
      type: 'event',
      payload: {
        event_id: event.eventId,
        timestamp: seconds(event.at),
        platform: 'javascript',
        level: event.level,
        release: event.release || undefined,
        environment: event.environment,
        transaction: event.route || undefined,
        user: event.user ? { id: event.user } : undefined,
        tags: { plan: event.plan },
        contexts: event.traceId ? { trace: { trace_id: event.traceId, span_id: 'a'.repeat(16) } } : undefined,
        exception: {
          values: [{ type: event.type, value: 'It failed', mechanism: { type: 'generic', handled: event.isHandled } }],
        },
      },
    },
  ],
})

/** An error that every project drops. */
export const deliverNoise = ({
  projectId,
  receivedAt,
  eventId,
}: Pick<ModelEvent, 'projectId' | 'receivedAt' | 'eventId'>): Delivery => ({
  projectId,
  receivedAt,
  envelope: { event_id: eventId },
  items: [
    {
      type: 'event',
      payload: {
        event_id: eventId,
        timestamp: seconds(receivedAt),
        platform: 'javascript',
        exception: { values: [{ type: 'Error', value: 'ResizeObserver loop limit exceeded' }] },
      },
    },
  ],
})

export function deliverVisit(visit: ModelVisit): Delivery {
  const [segment, ...children] = visit.spans
  if (!segment) throw new Error('a visit without a segment')
  const isServer = visit.kind !== 'load' && visit.kind !== 'navigation'
  return {
    projectId: visit.projectId,
    receivedAt: visit.receivedAt,
    envelope: { trace: { trace_id: visit.traceId, public_key: 'a'.repeat(32), sample_rate: String(visit.rate) } },
    items: [
      {
        type: 'transaction',
        payload: {
          type: 'transaction',
          event_id: visit.traceId,
          transaction: segment.name,
          transaction_info: { source: visit.kind === 'middleware' ? 'custom' : 'route' },
          platform: isServer ? 'node' : 'javascript',
          sdk: { name: 'sentry.javascript.nextjs', version: '10.75.2' },
          release: visit.release || undefined,
          environment: visit.environment,
          user: { id: visit.user },
          start_timestamp: seconds(visit.at),
          timestamp: seconds(visit.at + segment.durationMs),
          measurements: Object.fromEntries(Object.entries(visit.vitals).map(([name, value]) => [name, { value }])),
          request:
            visit.kind === 'prefetch'
              ? { url: `https://shop.example${visit.route}`, headers: { 'next-router-prefetch': '1' } }
              : undefined,
          contexts: {
            trace: {
              trace_id: visit.traceId,
              span_id: segment.spanId,
              op: segment.op,
              status: segment.isFailed ? 'internal_error' : 'ok',
              data: visit.action ? { 'http.request.header.next-action': visit.action } : undefined,
            },
            response: visit.kind === 'request' ? { status_code: visit.status } : undefined,
          },
          spans: children.map(child => ({
            trace_id: visit.traceId,
            span_id: child.spanId,
            parent_span_id: segment.spanId,
            op: child.op,
            description: child.name,
            start_timestamp: seconds(child.at),
            timestamp: seconds(child.at + child.durationMs),
            status: child.isFailed ? 'internal_error' : 'ok',
            origin: child.origin,
            data: child.attributes,
          })),
        },
      },
    ],
  }
}

/** A browser sends updates of one session, a server sums by the minute. */
export function deliverSession(session: ModelSession): Delivery {
  const { projectId, receivedAt, release, environment, user, at } = session
  const attrs = { release, environment }
  const started = new Date(at).toISOString()
  const update = (init: boolean, status: string, errors: number, laterMs: number): TestItem => ({
    type: 'session',
    payload: {
      sid: session.sessionId,
      did: user,
      init,
      started,
      timestamp: new Date(at + laterMs).toISOString(),
      status,
      errors,
      attrs,
    },
  })
  const sums = { started, did: user, [session.isFailed ? 'errored' : 'exited']: session.quantity }
  return {
    projectId,
    receivedAt,
    envelope: {},
    items:
      session.quantity > 1
        ? [{ type: 'sessions', payload: { aggregates: [sums], attrs } }]
        : [update(true, 'ok', 0, 0), update(false, 'exited', session.isFailed ? 1 : 0, 1_000)],
  }
}

export const deliverLog = ({ projectId, receivedAt, traceId, spanId, body, at, level }: ModelLog): Delivery => ({
  projectId,
  receivedAt,
  envelope: {},
  items: [
    {
      type: 'log',
      headers: { item_count: 1, content_type: 'application/vnd.sentry.items.log+json' },
      payload: { items: [{ timestamp: seconds(at), trace_id: traceId, span_id: spanId || undefined, level, body }] },
    },
  ],
})
