import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Config, readConfig } from '#config.ts'
import type { Control } from '#store/control/control.ts'
import { migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { type OpenedTelemetry, openMigratedControl, openTelemetryHere } from '../../open-stores.ts'
import { ensureShop } from '../ensure-shop.ts'
import { planDays, planReleases } from '../plan.ts'
import { readCaptures } from './capture-file.ts'
import { digestVisits } from './digest-visits.ts'
import { planVisits } from './plan-visits.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hydrant-visits-'))
const { ids, visits } = readCaptures()
let config: Config
let control: Control
let opened: OpenedTelemetry
const nowMs = new Date().setUTCHours(12, 0, 0, 0)
let first: Awaited<ReturnType<typeof visit>>

beforeAll(async () => {
  const result = readConfig({ HYDRANT_DATA_DIR: dataDir })
  if (!result.ok) throw new Error(result.faults.join(' '))
  config = result.config
  control = await openMigratedControl(config)
  opened = await openTelemetryHere(config)
  await migrateTelemetry(opened.telemetry, { kind: 'single' })
  first = await visit('shop', 'seed:1:1')
  await first.digested
})

afterAll(async () => {
  await opened?.close()
  await control?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Allowed = { mayWrite?: Promise<void>; signal?: AbortSignal }

async function visit(
  project: string,
  batchId: string,
  { mayWrite = Promise.resolve(), signal = new AbortController().signal }: Allowed = {},
) {
  const shop = await ensureShop({ db: control.db, actor: 'test', now: Date.now }, { organization: null, project })
  if (!shop.ok) throw new Error(shop.code)
  const { projectId } = shop
  const plan = {
    ...{ seed: 1, batchId, userCount: 20, releases: planReleases(7, nowMs) },
    days: planDays({ events: 10, spans: 100, logs: 0, days: 7 }, 10, nowMs),
  }
  const planned = planVisits(visits, plan, nowMs)
  const { telemetry } = opened
  const log = pino({ level: 'silent' })
  const digested = digestVisits({
    config,
    control,
    telemetry,
    projectId,
    visits: planned,
    ids: new Set(ids),
    log,
    mayWrite,
    signal,
  })
  return { projectId, planned, digested }
}

async function count(table: string, projectId: number, where = 'true'): Promise<number> {
  const query = `SELECT count() AS value FROM ${table} WHERE project_id = ${projectId} AND ${where}`
  const [row] = await opened.telemetry.query({ query, schema: z.object({ value: z.coerce.number() }) })
  return row?.value ?? Number.NaN
}

/** What digest remembers of an inbox. */
async function countRemembered(): Promise<number> {
  let rows = 0
  for (const table of ['inbox_cursor', 'batch_plan', 'trace_memory', 'held_event', 'deferred_user'] as const)
    rows += (await control.db.selectFrom(table).select('inbox_id').execute()).length
  return rows
}

const countItems = (planned: Awaited<ReturnType<typeof visit>>['planned'], type: string) =>
  planned
    .flatMap(each => each.visit.requests.flatMap(({ items }) => items))
    .filter(({ headers }) => headers.type === type).length

// First: the next test repeats what it counts.
it('groups the repeats of an error in one issue, which is as old as the first', async () => {
  const { projectId, planned } = first
  const issues = await control.db
    .selectFrom('issue')
    .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
    .select(['title', 'event_count', 'first_seen', 'kind'])
    .where('issue.project_id', '=', projectId)
    .execute()
  const repeats = planned.filter(each => each.visit.name === 'order').length
  const order = issues.filter(({ title }) => title.includes('An order needs at least one pot'))
  expect(order).toMatchObject([{ event_count: repeats }])
  expect(issues.filter(({ title }) => title.startsWith('HydrationError'))).not.toEqual([])
  expect(issues.filter(({ title }) => title.startsWith('DeploySkew'))).not.toEqual([])
  const repeated = issues.filter(({ kind }) => kind === 'error') // each feedback says something else
  expect(Math.max(...repeated.map(({ first_seen }) => first_seen))).toBeLessThan(nowMs - 24 * 3_600_000)
  const changes = await control.db.selectFrom('issue_change').select('kind').distinct().execute()
  expect(changes).toEqual([{ kind: 'edited' }])
})

it('stores every event, replay and feedback of every repeat, also when it runs again', async () => {
  expect(await first.digested).toBeGreaterThan(1_000)
  const { projectId, planned } = first
  const events = await count('events', projectId)
  const sent = countItems(planned, 'event') + countItems(planned, 'feedback')
  expect(events + (await countFiltered(projectId))).toBe(sent)
  expect(await count('replays', projectId)).toBe(countItems(planned, 'replay_recording'))
  expect(await count('feedback', projectId)).toBe(countItems(planned, 'feedback'))
  expect(await count('attachments', projectId)).toBe(countItems(planned, 'attachment'))
  expect(await count('profiles', projectId)).toBe(countItems(planned, 'profile_chunk'))
  expect(await countRemembered()).toBe(0)
  await (await visit('shop', 'seed:1:2')).digested
  expect(await count('events', projectId)).toBe(2 * events)
  expect(await countRemembered()).toBe(0)
})

async function countFiltered(projectId: number): Promise<number> {
  const query = `SELECT toUInt64(sum(quantity)) AS value FROM outcomes WHERE project_id = ${projectId} AND category = 'error'`
  const [row] = await opened.telemetry.query({ query, schema: z.object({ value: z.coerce.number() }) })
  return row?.value ?? 0
}

it('keeps whole batches when it is interrupted, and remembers nothing', async () => {
  const interruption = new AbortController()
  const { digested } = await visit('interrupted', 'seed:1:3', { signal: interruption.signal })
  interruption.abort(new Error('Interrupted.'))
  await expect(digested).rejects.toThrow('Interrupted.')
  expect(await countRemembered()).toBe(0)
})

it('writes nothing before it may, and nothing at all if it never may', async () => {
  const interruption = new AbortController()
  const never = Promise.withResolvers<void>()
  never.promise.catch(() => undefined)
  const { projectId, digested } = await visit('never', 'seed:1:4', {
    mayWrite: never.promise,
    signal: interruption.signal,
  })
  // The first batch waits for the engine when it is planned.
  await expect.poll(() => control.db.selectFrom('batch_plan').select('batch').execute()).not.toEqual([])
  interruption.abort(new Error('Interrupted.'))
  never.reject(interruption.signal.reason)
  await expect(digested).rejects.toThrow('Interrupted.')
  for (const table of ['events', 'spans', 'logs', 'replays', 'profiles', 'outcomes'])
    expect([table, await count(table, projectId)]).toEqual([table, 0])
  const issues = await control.db.selectFrom('issue').select('id').where('project_id', '=', projectId).execute()
  expect(issues).toEqual([])
  expect(await countRemembered()).toBe(0)
}, 60_000)

it('forgets the inbox of a seed that was killed', async () => {
  await control.db
    .insertInto('trace_memory')
    .values({ inbox_id: 'seed:killed', trace: 'a', memory: '{}', seen_at: 0 })
    .execute()
  expect(await countRemembered()).toBe(1)
  const interruption = new AbortController()
  interruption.abort(new Error('Interrupted.'))
  const { digested } = await visit('after', 'seed:1:5', { signal: interruption.signal })
  await expect(digested).rejects.toThrow('Interrupted.')
  expect(await countRemembered()).toBe(0)
})
