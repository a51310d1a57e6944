import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { commitBatch } from '#digest/loop/commit-batch.ts'
import type { PreparedBatch } from '#digest/loop/prepared-batch.ts'
import { sortOut } from '#digest/loop/sort-out.ts'
import { writeRows } from '#digest/loop/write-rows.ts'
import { hasRipe } from '#digest/plan/plan-batch.ts'
import { understandRecord } from '#digest/understand-record.ts'
import { type EngineHandle, startEngine } from '#engine/start-engine.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

const echoText = 'Minified React error #441; visit https://react.dev/errors/441 for the full message'
const newId = (): string => randomUUID().replaceAll('-', '')

let folder: string
let engine: EngineHandle
let telemetry: Telemetry
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-errors-'))
  engine = await startEngine({
    dataPath: join(folder, 'telemetry'),
    socketPath: join(folder, 'engine.sock'),
    log: () => undefined,
  })
  telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  await migrateTelemetry(telemetry, { kind: 'single' })
})
afterAll(async () => {
  vi.useRealTimers()
  await telemetry?.close()
  await engine?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Sent = { trace?: string; digest?: string; value?: string; isServer?: boolean; route?: string }

onEachEngine(({ newControl }) => {
  let world: World
  let inboxId: string
  let batches: number
  let last: PreparedBatch | null
  beforeEach(async () => {
    world = await makeWorld(await newControl())
    inboxId = newId()
    batches = 0
    last = null
    vi.useFakeTimers({ toFake: ['Date'], now: world.clock.now })
  })

  const understand = ({ trace, digest, value = 'The shelf is empty', isServer = false, route = '/shelf' }: Sent) => {
    const event_id = newId()
    const mechanism = { type: isServer ? 'auto.function.nextjs.on_request_error' : 'generic', handled: false }
    const payload = {
      event_id,
      timestamp: Date.now() / 1_000,
      platform: isServer ? 'node' : 'javascript',
      transaction: isServer ? `GET ${route}` : route,
      exception: { values: [{ type: 'Error', value: isServer ? value : echoText, mechanism }] },
      contexts: trace ? { trace: { trace_id: trace, span_id: 'a'.repeat(16) } } : {},
      tags: digest ? { digest } : {},
    }
    const head = { projectId: world.web, receivedAt: Date.now() }
    const record = makeRecord([{ type: 'event', payload }], { event_id }, head)
    return { yielded: understandRecord(record, testContext), spool: null, receivedAt: Date.now() }
  }
  const prepare = (sent: Sent[], { isRepeat = false, before = null as PreparedBatch | null } = {}) => {
    if (!isRepeat) batches += 1
    return sortOut({
      control: world.control,
      telemetry,
      inboxId,
      seal: { batch: batches, segment: 1, start: 0, end: batches },
      understood: sent.map(understand),
      before,
      mayHaveArrived: isRepeat,
      isRepeated: () => false,
    })
  }
  const settle = async (batch: PreparedBatch) => {
    const fate = await writeRows(batch, {
      telemetry,
      blobs: openBlobs({ dataDir: folder, blobsUrl: undefined }),
      retentionDays: 30,
    })
    expect(fate.kind).toBe('done')
    await commitBatch(world.control, inboxId, batch)
    last = batch
    return batch
  }
  const digest = async (...sent: Sent[]) => settle(await prepare(sent))
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

  test('a browser’s error of the same batch is in the issue of the server’s', async () => {
    const trace = newId()
    await digest({ trace }, { trace, isServer: true })
    expect(await issues()).toEqual(['Error: The shelf is empty ×2'])
    expect(await waiting()).toBe(0)
  })

  test('a browser’s error finds the server’s that came before it', async () => {
    const trace = newId()
    await digest({ trace, isServer: true })
    await digest({ trace })
    expect(await issues()).toEqual(['Error: The shelf is empty ×2'])
  })

  test('a browser’s error waits for the server’s', async () => {
    const trace = newId()
    await digest({ trace })
    expect([await issues(), await waiting()]).toEqual([[], 1])
    pass(5_000)
    await digest({ trace, isServer: true })
    expect([await issues(), await waiting()]).toEqual([['Error: The shelf is empty ×2'], 0])
  })

  test('where the server’s came while the wait was being written down, a batch without records brings them together', async () => {
    const trace = newId()
    const one = await prepare([{ trace }])
    const two = await prepare([{ trace, isServer: true }], { before: one })
    await settle(one)
    expect(await hasRipe({ control: world.control, telemetry, inboxId })).toBe(false)
    await settle(two)
    expect([await issues(), await waiting()]).toEqual([['Error: The shelf is empty ×1'], 1])
    expect(await hasRipe({ control: world.control, telemetry, inboxId })).toBe(true)
    await digest()
    expect([await issues(), await waiting()]).toEqual([['Error: The shelf is empty ×2'], 0])
  })

  test('after a minute alone it is an issue of its route', async () => {
    await digest(
      { trace: newId(), route: '/shelf' },
      { trace: newId(), route: '/shelf' },
      { trace: newId(), route: '/cart' },
    )
    pass(59_000)
    expect(await hasRipe({ control: world.control, telemetry, inboxId })).toBe(false)
    pass(2_000)
    expect(await hasRipe({ control: world.control, telemetry, inboxId })).toBe(true)
    await digest()
    expect((await issues()).map(line => line.split(' ×')[1]).sort()).toEqual(['1', '2'])
    expect(await waiting()).toBe(0)
  })

  test('a digest that was joined once needs no trace the next time', async () => {
    const trace = newId()
    await digest({ trace, isServer: true }, { trace, digest: '3836656008' })
    await digest({ digest: '3836656008' })
    expect(await issues()).toEqual(['Error: The shelf is empty ×3'])
  })

  test('an error without trace and digest does not wait', async () => {
    await digest({})
    expect([(await issues()).length, await waiting()]).toEqual([1, 0])
  })

  test('a batch that is digested again after a crash does what it did, whatever has come since', async () => {
    const trace = newId()
    await digest({ trace })
    pass(61_000)
    const first = await prepare([{ isServer: true, value: 'Another' }])
    expect(first.plan.released).toHaveLength(1)
    pass(10_000)
    const again = await prepare([{ isServer: true, value: 'Another' }], { isRepeat: true })
    expect(again.plan).toEqual(first.plan)
    expect(again.rows.events.map(row => row.group_hash)).toEqual(first.rows.events.map(row => row.group_hash))
    await settle(again)
    expect([(await issues()).length, await waiting()]).toEqual([2, 0])
    expect(await world.control.db.selectFrom('batch_plan').select('batch').execute()).toEqual([])
  })

  test('what a batch under way has released is not released again by the next', async () => {
    await digest({ trace: newId() })
    pass(61_000)
    const one = await prepare([])
    const two = await prepare([{ isServer: true }], { before: one })
    expect([one.plan.released.length, two.plan.released.length]).toEqual([1, 0])
    await settle(one)
    await settle(two)
    expect(last?.rows.events).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  test('a repeat of a batch that was never planned releases nothing that waits now', async () => {
    await digest({ trace: newId() })
    pass(61_000)
    batches += 1
    expect((await prepare([{ isServer: true }], { isRepeat: true })).plan.released).toEqual([])
  })
})
