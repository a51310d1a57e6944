import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readCursor } from '#digest/loop/commit-batch.ts'
import { runDigestLoop } from '#digest/loop/digest-loop.ts'
import { type EngineHandle, startEngine } from '#engine/start-engine.ts'
import { readEnd } from '#inbox/durable-end.ts'
import { type Inbox, openInbox } from '#inbox/open-inbox.ts'
import { readSlice } from '#inbox/read-log.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Control } from '#store/control/control.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { audit } from './audit.ts'
import { encodeSent, idOf, type Sent } from './envelopes.ts'
import { createGate, type Fault, gatedBlobs, gatedControl, gatedTelemetry } from './gate.ts'

const MiB = 1024 * 1024
const log = pino({ level: 'silent' })
let dataDir: string
let engine: EngineHandle
let telemetry: Telemetry
let control: Control
let lastProjectId = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crash-points-'))
  control = openControl({ dataDir, databaseUrl: undefined })
  await migrateControl(control, { dataDir, log })
  await control.db.insertInto('organization').values({ slug: 'acme', name: 'acme', created_at: 0 }).execute()
  engine = await startEngine({
    dataPath: join(dataDir, 'telemetry'),
    socketPath: join(dataDir, 'run', 'engine.sock'),
    log: () => undefined,
  })
  telemetry = openTelemetry({ kind: 'socket', socketPath: engine.socketPath })
  await migrateTelemetry(telemetry, { kind: 'single' })
})
afterAll(async () => {
  await telemetry?.close()
  await control?.close()
  await engine?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Ends the life that understands a batch with the poisonous record in it. */
type Poison = { suspectBatch: number | null; endsThread(batch: number): boolean } | null

type Scene = { projectId: number; folder: string; inbox: Inbox; sent: Sent[] }

const firstFile: Sent[] = [
  { kind: 'event', id: '', attachmentBytes: 3_000 },
  { kind: 'spans', id: '', count: 4 },
  { kind: 'logs', id: '', count: 4 },
]
const secondFile: Sent[] = [{ kind: 'event', id: '', attachmentBytes: 0 }]

/** Two log files, so two batches; spans and logs of two days, so inserts with two partitions; an attachment; an event that comes twice. */
async function setScene(): Promise<Scene> {
  const projectId = ++lastProjectId
  await control.db
    .insertInto('project')
    .values({
      id: projectId,
      organization_id: 1,
      slug: `p${projectId}`,
      name: '',
      platform: '',
      is_internal: 0,
      last_issue_number: 0,
      first_event_at: null,
      created_at: 0,
    })
    .execute()
  const folder = join(dataDir, 'inboxes', String(projectId))
  const sent: Sent[] = []
  let inbox: Inbox | null = null
  for (const file of [0, 1]) {
    await inbox?.close()
    inbox = await openInbox(folder, () => undefined)
    const fresh = (file === 0 ? firstFile : secondFile).map((one, index) => ({
      ...one,
      id: idOf(projectId, file * 10 + index),
    }))
    for (const one of [...fresh, ...sent.slice(0, 1)]) await append(inbox, projectId, one)
    sent.push(...fresh)
  }
  if (!inbox) throw new Error('no inbox')
  return { projectId, folder, inbox, sent }
}

function append(inbox: Inbox, projectId: number, sent: Sent): Promise<void> {
  const head = { projectId, keyId: 1, receivedAt: Date.now(), clientAddress: '127.0.0.1', userAgent: '' }
  return inbox.append({ head, body: encodeSent(sent, Date.now()) })
}

/** Runs the loop until it has committed everything, or died at its fault. Gives the steps it took. */
async function live(
  { folder, inbox }: Scene,
  fault: Fault,
  poison: Poison = null,
  store = telemetry,
): Promise<string[]> {
  const gate = createGate(fault)
  const end = readEnd(inbox.end)
  const cursor = await readCursor(control, inbox.id)
  let isDone = cursor.segment === end.segment && cursor.position === end.position
  const loop = runDigestLoop({
    source: { folder, inboxId: inbox.id, retentionDays: { errors: 90, rest: 30 } },
    end: inbox.end,
    control: gatedControl(control, gate),
    stores: {
      telemetry: gatedTelemetry(store, gate),
      blobs: gatedBlobs(openBlobs({ dataDir, blobsUrl: undefined }), gate),
      retentionDays: 30,
    },
    log,
    report: ({ kind, batch, prepared }) => {
      if (kind === 'understanding' && poison?.endsThread(batch)) {
        void gate.die()
        throw new Error('the thread ended')
      }
      if (kind === 'committed') isDone = prepared?.seal.segment === end.segment && prepared.seal.end === end.position
    },
    suspectBatch: poison?.suspectBatch ?? null,
    isStopping: () => isDone,
  })
  await Promise.race([loop, gate.died])
  return gate.steps
}

async function faultsAfter(faults: Fault[]): Promise<string[]> {
  const scene = await setScene()
  for (const fault of faults) await live(scene, fault)
  await live(scene, null)
  await scene.inbox.close()
  const book = { acknowledged: scene.sent, uncertain: [], refused: [], repeats: 1 }
  return (await audit(dataDir, scene.projectId, book)).map(text => `${JSON.stringify(faults)}: ${text}`)
}

test('a digest that ends at any step of its work goes on from there, and everything is stored and counted once', async () => {
  const scene = await setScene()
  const steps = await live(scene, null)
  await scene.inbox.close()
  expect(steps.filter(step => step === 'commit')).toHaveLength(2)
  expect(new Set(steps)).toEqual(
    new Set([
      'blob',
      'insert events',
      'insert spans',
      'insert logs',
      'insert attachments',
      'insert outcomes',
      'commit',
    ]),
  )
  // To die before a step is to die after the one before it.
  const points = [-1, ...steps.keys()].map(
    step => ({ step: Math.max(0, step), mode: step < 0 ? 'die before' : 'die after' }) as const,
  )
  const lost = [...steps.keys()].map(step => ({ step, mode: 'lose answer' }) as const)
  const all = [...points, ...lost]
  const found: string[] = []
  for (let start = 0; start < all.length; start += 6) {
    found.push(...(await Promise.all(all.slice(start, start + 6).map(fault => faultsAfter([fault])))).flat())
  }
  expect(found).toEqual([])
}, 300_000)

test('a second end while the first is being made good changes nothing', async () => {
  const found: string[] = []
  const runs = [1, 3, 5].map(step =>
    faultsAfter([
      { step, mode: 'die after' },
      { step: step + 2, mode: 'die after' },
      { step, mode: 'lose answer' },
    ]),
  )
  found.push(...(await Promise.all(runs)).flat())
  expect(found).toEqual([])
}, 300_000)

test('a record that ends the thread whenever it is read is set aside in the end, and its neighbours are stored', async () => {
  const scene = await setScene()
  const end = readEnd(scene.inbox.end)
  const { records } = await readSlice(scene.folder, { segment: 1, position: 0 }, end, {
    maxRecords: 100,
    maxBytes: MiB,
  })
  const [, poisonous] = records
  if (!poisonous) throw new Error('the first file has too few records')
  const isAlone = (seal: Sealed | undefined) =>
    seal?.start === poisonous.place.position && seal.end === records[2]?.place.position
  let suspectBatch: number | null = null
  let lives = 0
  for (let isDead = true; isDead && lives < 10; lives++) {
    // Only a record that ended a thread alone may be set aside: then it is not read again.
    const isSetAside = suspectBatch !== null && isAlone(lastSeal(scene.folder, suspectBatch))
    isDead = false
    await live(scene, null, {
      suspectBatch,
      endsThread: batch => {
        const seal = lastSeal(scene.folder, batch)
        const holdsPoison =
          seal?.segment === 1 && seal.start <= poisonous.place.position && poisonous.place.position < seal.end
        if (!holdsPoison || (isSetAside && batch === suspectBatch)) return false
        isDead = true
        suspectBatch = batch
        return true
      },
    }).catch(() => undefined)
  }
  expect(lives).toBe(4)
  await scene.inbox.close()
  const acknowledged = scene.sent.filter(sent => sent.kind !== 'spans')
  expect(await audit(dataDir, scene.projectId, { acknowledged, uncertain: [], refused: [], repeats: 1 })).toEqual([])
  const outcomes = await telemetry.query({
    query: `SELECT reason FROM outcomes WHERE project_id = ${scene.projectId} ORDER BY reason LIMIT 10`,
    schema: z.object({ reason: z.string() }),
  })
  expect(outcomes.map(row => row.reason)).toEqual(['duplicate', 'unreadable'])
}, 60_000)

type Sealed = { segment: number; start: number; end: number }

function lastSeal(folder: string, batch: number): Sealed | undefined {
  const lines = readFileSync(join(folder, 'seals.log'), 'utf8').trim().split('\n')
  const [, segment, start, end] =
    lines.map(line => line.split(' ').map(Number)).findLast(([number]) => number === batch) ?? []
  return segment === undefined || start === undefined || end === undefined ? undefined : { segment, start, end }
}

test('a body that is gone from the spool folder is an outcome, and holds nobody up', async () => {
  const scene = await setScene()
  const spool = await scene.inbox.spool()
  await spool.write(encodeSent({ kind: 'event', id: idOf(0, 0), attachmentBytes: 9_000 }, Date.now()))
  const finished = await spool.finish()
  const head = {
    projectId: scene.projectId,
    keyId: 1,
    receivedAt: Date.now(),
    clientAddress: '',
    userAgent: '',
    spool: finished,
  }
  await scene.inbox.append({ head, body: Buffer.alloc(0) })
  await rm(join(scene.folder, 'spool', finished.name))
  await live(scene, null)
  await scene.inbox.close()
  expect(
    await audit(dataDir, scene.projectId, { acknowledged: scene.sent, uncertain: [], refused: [], repeats: 1 }),
  ).toEqual([])
}, 60_000)

test('a row that the engine refuses becomes an outcome and a dead letter, and its neighbours are stored', async () => {
  const scene = await setScene()
  const logs = scene.sent.find(sent => sent.kind === 'logs')
  // As if digest had let an id through that is none: the third line of the log.
  const careless: Telemetry = {
    ...telemetry,
    insert: insert =>
      telemetry.insert({
        ...insert,
        body: insert.body.toString().replace(/^.*"line 2".*$/m, line => line.replaceAll(logs?.id ?? '', 'no id')),
      }),
  }
  await live(scene, null, null, careless)
  await scene.inbox.close()
  const stored = await telemetry.query({
    query: `SELECT body FROM logs WHERE project_id = ${scene.projectId} ORDER BY body LIMIT 10`,
    schema: z.object({ body: z.string() }),
  })
  expect(stored.map(row => row.body)).toEqual(['line 0', 'line 1', 'line 3'])
  const outcomes = await telemetry.query({
    query: `SELECT category, reason, toUInt32(quantity) AS quantity FROM outcomes WHERE project_id = ${scene.projectId} ORDER BY reason LIMIT 10`,
    schema: z.unknown(),
  })
  expect(outcomes).toEqual([
    { category: 'error', reason: 'duplicate', quantity: 1 },
    { category: 'log_item', reason: 'engine_refused', quantity: 1 },
  ])
  const day = new Date().toISOString().slice(0, 10)
  const letters = await readdir(join(dataDir, 'blobs', 'dead-letters', day, String(scene.projectId)))
  expect(letters.filter(name => name.includes('-logs-'))).toHaveLength(1)
}, 60_000)
