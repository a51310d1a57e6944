/** Errors of browsers and servers on their way through digest, batch by batch, at a time that the test sets. */
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { commitBatch } from '#digest/commit-batch.ts'
import { filterBatch } from '#digest/filter-batch.ts'
import { hasDueEvents } from '#digest/link/plan-batch.ts'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { writeRows } from '#digest/write-batch.ts'
import type { InboxRecord } from '#inbox/record.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { createIds } from '../create-ids.ts'
import { makeRecord, testContext } from '../make-record.ts'
import type { EngineUnderTest } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const echoText = 'Minified React error #441; visit https://react.dev/errors/441 for the full message'
export const newId = createIds('server errors')

let store: TelemetryUnderTest

/** One telemetry store for all tests of a file. */
export function startStore(): void {
  beforeAll(async () => {
    store = await borrowTelemetry()
  })
  afterAll(async () => {
    vi.useRealTimers()
    await store?.stop()
  })
}

type Sent = {
  trace?: string
  digest?: string
  value?: string
  isServer?: boolean
  route?: string
  mechanism?: string
  projectId?: number
  eventId?: string
  user?: { id?: string; ip_address?: string }
}

export type ServerErrors = {
  /** Of the current test, as are all others. */
  readonly world: World
  readonly inboxId: string
  readonly telemetry: Telemetry
  /** The batch that was committed last. */
  readonly last: PreparedBatch | null
  /** A batch was sealed and not planned. */
  sealNext(): void
  prepare(sent: Sent[], options?: { isRepeat?: boolean; before?: PreparedBatch | null }): Promise<PreparedBatch>
  /** Its rows alone, as before a kill. */
  write(batch: PreparedBatch): Promise<void>
  /** Writes and commits. */
  settle(batch: PreparedBatch): Promise<PreparedBatch>
  /** Prepares and settles a batch. */
  digest(...sent: Sent[]): Promise<PreparedBatch>
  /** Digests a batch of recorded requests. */
  digestRecorded(records: readonly InboxRecord[]): Promise<PreparedBatch>
  /** `Error: The shelf is empty ×1`. */
  issues(): Promise<string[]>
  /** How many errors wait for their server's. */
  waiting(): Promise<number>
  /** Whether something waits that a batch without records would release. */
  isDue(): Promise<boolean>
  pass(ms: number): void
}

/** A new control database, inbox and clock for each test. */
export function useServerErrors({ newAcme }: Pick<EngineUnderTest, 'newAcme'>): ServerErrors {
  let world: World
  let inboxId: string
  let batches: number
  let last: PreparedBatch | null
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    inboxId = newId()
    batches = 0
    last = null
    vi.useFakeTimers({ toFake: ['Date'], now: world.clock.now })
  })

  const processSent = ({ trace, digest, value = 'The shelf is empty', isServer = false, ...sent }: Sent) => {
    const { route = '/shelf', projectId = world.web } = sent
    const event_id = sent.eventId ?? newId()
    const type = sent.mechanism ?? (isServer ? 'auto.function.nextjs.on_request_error' : 'generic')
    const mechanism = { type, handled: false }
    const payload = {
      event_id,
      timestamp: Date.now() / 1_000,
      platform: isServer ? 'node' : 'javascript',
      transaction: isServer ? `GET ${route}` : route,
      exception: { values: [{ type: 'Error', value: isServer ? value : echoText, mechanism }] },
      contexts: trace ? { trace: { trace_id: trace, span_id: 'a'.repeat(16) } } : {},
      tags: digest ? { digest } : {},
      user: sent.user,
    }
    const head = { projectId, receivedAt: Date.now() }
    const record = makeRecord([{ type: 'event', payload }], { event_id }, head)
    return { processed: processRecord(record, testContext), spool: null, receivedAt: Date.now() }
  }
  const prepareRecords = (
    records: ReturnType<typeof processSent>[],
    isRepeat: boolean,
    before: PreparedBatch | null,
  ) => {
    if (!isRepeat) batches += 1
    return filterBatch({
      control: world.control,
      telemetry: store.telemetry,
      inboxId,
      seal: { batch: batches, segment: 1, start: 0, endSegment: 1, end: batches },
      records,
      previous: before,
      mayHaveArrived: isRepeat,
      isRepeated: () => false,
    })
  }
  const prepare = (sent: Sent[], { isRepeat = false, before = null as PreparedBatch | null } = {}) =>
    prepareRecords(sent.map(processSent), isRepeat, before)
  const stores = () => ({
    telemetry: store.telemetry,
    blobs: openBlobs({ dataDir: store.folder, blobsUrl: undefined }),
    retentionDays: 30,
  })
  const write = async (batch: PreparedBatch) => expect((await writeRows(batch, stores())).kind).toBe('done')
  const settle = async (batch: PreparedBatch) => {
    await write(batch)
    await commitBatch(world.control, inboxId, batch)
    last = batch
    return batch
  }
  const digest = async (...sent: Sent[]) => settle(await prepare(sent))
  const digestRecorded = async (records: readonly InboxRecord[]) => {
    const received = records.map(({ head, body }) => {
      const own = { body, head: { ...head, projectId: world.web } }
      return { processed: processRecord(own, testContext), spool: null, receivedAt: head.receivedAt }
    })
    vi.setSystemTime(Math.max(Date.now(), ...records.map(({ head }) => head.receivedAt)))
    return settle(await prepareRecords(received, false, null))
  }
  const issues = async () =>
    (
      await world.control.db
        .selectFrom('issue')
        .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
        .select(['issue.title', 'issue_hash.event_count'])
        .orderBy('issue.id')
        .execute()
    ).map(({ title, event_count }) => `${title} ×${event_count}`)
  const waiting = async () => (await world.control.db.selectFrom('held_event').select('event_id').execute()).length
  const pass = (ms: number) => {
    vi.setSystemTime(Date.now() + ms)
  }
  return {
    get world() {
      return world
    },
    get inboxId() {
      return inboxId
    },
    get telemetry() {
      return store.telemetry
    },
    get last() {
      return last
    },
    sealNext: () => void (batches += 1),
    prepare,
    write,
    settle,
    digest,
    digestRecorded,
    issues,
    waiting,
    isDue: () => hasDueEvents({ control: world.control, telemetry: store.telemetry, inboxId }),
    pass,
  }
}
