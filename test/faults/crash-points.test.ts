import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCursor } from '#digest/loop/commit-batch.ts'
import { runDigestLoop } from '#digest/loop/digest-loop.ts'
import { type EngineHandle, startEngine } from '#engine/start-engine.ts'
import { readEnd } from '#inbox/durable-end.ts'
import { type Inbox, openInbox } from '#inbox/open-inbox.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Control } from '#store/control/control.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { openTelemetry, type Telemetry } from '#store/telemetry/telemetry.ts'
import { audit } from './audit.ts'
import { encodeSent, idOf, type Sent } from './envelopes.ts'
import { createGate, type Fault, gatedBlobs, gatedControl, gatedTelemetry } from './gate.ts'

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
async function live({ folder, inbox }: Scene, fault: Fault): Promise<string[]> {
  const gate = createGate(fault)
  const end = readEnd(inbox.end)
  const cursor = await readCursor(control, inbox.id)
  let isDone = cursor.segment === end.segment && cursor.position === end.position
  const loop = runDigestLoop({
    source: { folder, inboxId: inbox.id, retentionDays: { errors: 90, rest: 30 } },
    end: inbox.end,
    control: gatedControl(control, gate),
    stores: {
      telemetry: gatedTelemetry(telemetry, gate),
      blobs: gatedBlobs(openBlobs({ dataDir, blobsUrl: undefined }), gate),
      retentionDays: 30,
    },
    log,
    report: ({ kind, prepared }) => {
      if (kind === 'committed') isDone = prepared?.seal.segment === end.segment && prepared.seal.end === end.position
    },
    suspectBatch: null,
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
