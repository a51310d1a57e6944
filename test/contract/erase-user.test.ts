/** All data of one user goes, from every store, also if the process dies in between; everything else stays. */
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { processRecord } from '#digest/process-record.ts'
import { reportClock, reportStop } from '#domain/alerts/minute-clock.ts'
import {
  erasureLimits,
  readProgress,
  receiptOf,
  requestErasure,
  type UserIdentifiers,
} from '#domain/privacy/erasures.ts'
import { previewScrubRule } from '#domain/privacy/preview-rule.ts'
import { countUserData, nameUser } from '#jobs/erase-users/erase-user.ts'
import { type ErasureOptions, eraseNext } from '#jobs/erase-users/erase-users.ts'
import { hashUser } from '#lib/user-hash.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import type { Control } from '#store/control/control.ts'
import { type TableName, tableNames } from '#store/telemetry/tables.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { makeRecord } from '../make-record.ts'
import { viewAs } from '../view-as.ts'
import { itemsOf, now } from './items-of-user.ts'
import { onEachEngine } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld } from './workflow-world.ts'

const layout = { kind: 'single' } as const
let store: TelemetryUnderTest
let blobs: Blobs

beforeAll(async () => {
  store = await borrowTelemetry()
  blobs = openBlobs({ dataDir: store.folder, blobsUrl: undefined })
})
afterAll(() => store?.stop())

let batches = 0

/** `before`: the spelling of the IP address in rows that were stored before addresses had one. */
type Sent = { projectId: number; name: string; user: UserIdentifiers; receivedAt?: number; before?: string }

async function send(...all: Sent[]): Promise<void> {
  const rows: { [Table in TableName]?: unknown[] } = {}
  for (const { projectId, name, user, receivedAt = now, before } of all)
    for (const [at, { items, envelope }] of itemsOf(name, user).entries()) {
      const record = makeRecord(items, envelope, { projectId, receivedAt })
      const context = { recordId: `${name}:${at}`, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
      const processed = processRecord(record, context)
      expect(processed.faults).toEqual([])
      for (const { key, source } of processed.blobs) await blobs.put(key, source)
      for (const table of tableNames) {
        const own = processed.rows[table] ?? []
        rows[table] = [...(rows[table] ?? []), ...(before === undefined ? own : respelled(own, projectId, before))]
      }
    }
  const batchId = `batch:${batches++}`
  for (const table of tableNames) {
    if ((rows[table] ?? []).length === 0) continue
    const write = { rows: rows[table] as never, batchId, mayHaveArrived: false, isSuspect: false }
    const result =
      table === 'events'
        ? await writeEvents(store.telemetry, write)
        : await writeBatch(store.telemetry, { ...write, table })
    expect(result).toEqual({ kind: 'done', refused: [] })
  }
}

/** Rows as they were with this spelling of Ada’s address. */
function respelled(rows: readonly unknown[], projectId: number, spelling: string): unknown[] {
  const text = JSON.stringify(rows)
    .replaceAll(ada.ip, spelling)
    .replaceAll(hashUser(projectId, ada.ip), hashUser(projectId, spelling))
  return JSON.parse(text)
}

async function countRows(projectId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tableNames) {
    const [row] = await store.telemetry.query({
      query: `SELECT toUInt32(count()) AS rows FROM ${table} WHERE project_id = {id:UInt64} LIMIT 1`,
      params: { id: projectId },
      schema: z.object({ rows: z.number() }),
    })
    if (row && row.rows > 0) counts[table] = row.rows
  }
  return counts
}

async function listFiles(projectId: number): Promise<string[]> {
  const rows = await store.telemetry.query({
    query: `SELECT blob AS key FROM attachments WHERE project_id = {id:UInt64}
            UNION ALL SELECT recording_blob AS key FROM replays WHERE project_id = {id:UInt64} LIMIT 100`,
    params: { id: projectId },
    schema: z.object({ key: z.string() }),
  })
  return rows.map(({ key }) => key)
}

const ada = { id: '7', email: 'Ada@shop.example', username: 'ada', ip: '203.0.113.9' }
/** Shares nothing with Ada but looks alike. */
const bob = { id: '70', email: 'ada@shop.example.org', username: 'ada ', ip: '203.0.113.90' }
const oneOfEach: Partial<Record<TableName, number>> = {
  // An error, and the feedback.
  events: 2,
  event_index: 2,
  spans: 2,
  logs: 1,
  metrics: 1,
  sessions: 1,
  feedback: 1,
  replays: 2,
  replay_moments: 1,
  attachments: 2,
}

onEachEngine(({ newControl, dialect }) => {
  /** Telemetry is shared by both engines, so each has ids of its own. */
  const base = dialect === 'sqlite' ? 1_000 : 2_000
  let next = base

  async function newProjects(control: Control): Promise<{ organizationId: number; web: number; rival: number }> {
    const [organizationId, rivalId, web, rival] = [++next, ++next, ++next, ++next]
    for (const id of [organizationId, rivalId])
      await control.db
        .insertInto('organization')
        .values({ id, slug: `o${id}`, name: '', created_at: 1 })
        .execute()
    for (const [id, owner] of [
      [web, organizationId],
      [rival, rivalId],
    ] as const)
      await control.db
        .insertInto('project')
        .values({
          id,
          organization_id: owner,
          slug: `p${id}`,
          name: '',
          platform: '',
          is_internal: 0,
          last_issue_number: 0,
          first_event_at: null,
          created_at: 1,
        })
        .execute()
    return { organizationId, web, rival }
  }

  const optionsOf = (control: Control, more: Partial<ErasureOptions> = {}): ErasureOptions => ({
    control,
    telemetry: store.telemetry,
    layout,
    blobs,
    holder: 'test',
    hashKey: 'key',
    now: () => now + 1_000,
    ...more,
  })

  /** Stores that fail at the n-th write, as if the process had died there. */
  function dyingAt(fatal: number): Partial<ErasureOptions> {
    let writes = 0
    const step =
      <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (++writes === fatal) throw new Error('died')
        return run(...args)
      }
    return {
      telemetry: { ...store.telemetry, command: step(store.telemetry.command.bind(store.telemetry)) },
      blobs: { ...blobs, remove: step(blobs.remove.bind(blobs)) },
    }
  }

  const receipt = async (control: Control, id: string) =>
    receiptOf(await control.db.selectFrom('user_erasure').selectAll().where('id', '=', id).executeTakeFirstOrThrow())

  test('through a death at every write, with a receipt that counts everything once', async () => {
    const control = await newControl()
    const world = await makeWorld(control)
    const { organizationId, web, rival } = await newProjects(control)
    await send(
      { projectId: web, name: `${web}a`, user: ada },
      { projectId: web, name: `${web}b`, user: bob },
      { projectId: rival, name: `${rival}a`, user: ada },
    )
    expect(await countRows(rival)).toEqual(oneOfEach)
    const files = { all: await listFiles(web), rival: await listFiles(rival) }
    const asked = await requestErasure(world.context, { organizationId, user: { ...ada, email: 'ada@shop.example' } })
    if (!asked.ok) throw new Error(asked.code)

    let deaths = 0
    for (let fatal = 1; fatal < 100; fatal++) {
      const outcome = await eraseNext(optionsOf(control, dyingAt(fatal))).catch((error: Error) => error.message)
      if (outcome !== 'died') {
        expect(outcome).toBe('done')
        break
      }
      deaths++
    }
    expect(deaths).toBeGreaterThan(4)
    expect(await eraseNext(optionsOf(control))).toBe('none')

    expect(await countRows(web)).toEqual(oneOfEach)
    expect(await countRows(rival)).toEqual(oneOfEach)
    const left = new Set([...(await listFiles(web)), ...files.rival])
    for (const key of [...files.all, ...files.rival])
      expect(await blobs.size(key), key).toEqual(left.has(key) ? expect.any(Number) : null)
    expect(left.size).toBe(8)

    const { deleted, user, state, requestedBy, coversUntil } = await receipt(control, asked.id)
    expect({ state, requestedBy, coversUntil }).toEqual({
      state: 'done',
      requestedBy: world.context.actor,
      coversUntil: now + 1_000,
    })
    expect(deleted).toEqual({ ...oneOfEach, 'attachment files': 2, 'replay files': 2 })
    expect(Object.keys(user)).toEqual(['id', 'email', 'username', 'ip'])
    expect(JSON.stringify(user)).not.toMatch(/ada|203/i)
    const audited = await control.db
      .selectFrom('audit')
      .select(['action', 'detail'])
      .where('action', 'like', 'user_data%')
      .orderBy('id')
      .execute()
    expect(audited.map(({ action }) => action)).toEqual(['user_data.delete', 'user_data.deleted'])
    expect(JSON.stringify(audited)).not.toMatch(/ada@|203\.0/i)
    if (dialect === 'postgres') return
    const [main] = (await sql<{ file: string }>`pragma database_list`.execute(control.db)).rows
    for (const file of [`${main?.file}`, `${main?.file}-wal`])
      expect(readFileSync(file).includes('ada@shop.example'), file).toBe(false)
  })

  // What follows does not depend on the control database.
  if (dialect === 'postgres') return

  test('finds what names the user by any identifier alone, and only that', async () => {
    const control = await newControl()
    const { web } = await newProjects(control)
    const kinds = ['id', 'email', 'username', 'ip'] as const
    const sent = kinds.map(kind => ({ projectId: web, name: `${web}${kind}`, user: { [kind]: ada[kind] } }))
    await send({ projectId: web, name: `${web}b`, user: bob }, ...sent)
    const stores = { control, telemetry: store.telemetry, layout, blobs }
    for (const kind of kinds) {
      const found = await countUserData(stores, nameUser({ [kind]: ada[kind] }, [web], now))
      expect(found, kind).toMatchObject({ events: 2, feedback: 1, replays: 1 })
      const hostile = { [kind]: `x' OR 1=1 -- \\'); DROP TABLE events` }
      expect(await countUserData(stores, nameUser(hostile, [web], now))).toEqual({})
      expect(await countUserData(stores, nameUser({ [kind]: ada[kind] }, [web], now - 1))).toEqual({})
    }
  })

  test('finds an IP address in every spelling, in what is stored already, too', async () => {
    const control = await newControl()
    const { web } = await newProjects(control)
    const user = { ip: ada.ip }
    await send(
      { projectId: web, name: `${web}b`, user: bob },
      { projectId: web, name: `${web}1`, user },
      { projectId: web, name: `${web}2`, user: { ip: `::ffff:${ada.ip}` } },
      { projectId: web, name: `${web}3`, user, before: `::ffff:${ada.ip}` },
      { projectId: web, name: `${web}4`, user, before: '::FFFF:cb00:7109' },
    )
    const stores = { control, telemetry: store.telemetry, layout, blobs }
    const all = { events: 8, feedback: 4, replays: 4, spans: 4 }
    for (const ip of [ada.ip, `::ffff:${ada.ip}`, '::FFFF:CB00:7109'])
      expect(await countUserData(stores, nameUser({ ip }, [web], now)), ip).toMatchObject(all)
  })

  test('data that arrives during the deletion goes too, data from after it stays', async () => {
    const control = await newControl()
    const world = await makeWorld(control)
    const { organizationId, web } = await newProjects(control)
    await send({ projectId: web, name: `${web}1`, user: ada })
    const asked = await requestErasure(world.context, { organizationId, user: { id: ada.id } })
    if (!asked.ok) throw new Error(asked.code)
    // One node still has to store what it has received, and another one has done so.
    const report = (inboxId: string, until: number) => reportClock(control, inboxId, until, now)
    await report('behind', now - 1_000)
    await report('ahead', now + 2_000)
    expect(await eraseNext(optionsOf(control))).toBe('waiting')
    expect((await receipt(control, asked.id)).state).toBe('running')
    const late = { projectId: web, user: ada }
    await send(
      { ...late, name: `${web}2`, receivedAt: now + 500 },
      { ...late, name: `${web}3`, receivedAt: now + 5_000 },
    )
    const later = optionsOf(control, { now: () => now + 9_000 })
    await report('behind', now + 1_000)
    expect(await eraseNext(later)).toBe('waiting')
    await report('behind', now + 1_001)
    expect(await eraseNext(later)).toBe('done')
    expect(await countRows(web)).toEqual(oneOfEach)
    expect((await receipt(control, asked.id)).deleted).toMatchObject({ events: 4, spans: 4, 'replay files': 4 })
    const { progress } = await control.db
      .selectFrom('user_erasure')
      .select('progress')
      .where('id', '=', asked.id)
      .executeTakeFirstOrThrow()
    expect(readProgress(progress).pending).toEqual({})
  })

  test('a node that ended with an empty inbox is not waited for, and one that died is waited for a day', async () => {
    const control = await newControl()
    const world = await makeWorld(control)
    const { organizationId } = await newProjects(control)
    const ask = async () => {
      world.clock.now += 1
      const asked = await requestErasure(world.context, { organizationId, user: { id: ada.id } })
      return asked.ok ? asked.id : ''
    }
    await reportClock(control, 'ended', now - 1_000, now - 1_000)
    await reportStop(control, 'ended', now)
    const first = await ask()
    expect(await eraseNext(optionsOf(control))).toBe('done')
    const { limits, coversUntil } = await receipt(control, first)
    expect(limits).toEqual([
      ...erasureLimits,
      expect.stringContaining(
        `The inbox of each node overwrites data that was received before ${new Date(coversUntil ?? 0).toISOString()}`,
      ),
    ])
    await reportClock(control, 'dead', now - 1_000, now)
    const second = await ask()
    const dayMs = 86_400_000
    const at = (ms: number) => optionsOf(control, { now: () => now + ms })
    expect(await eraseNext(at(dayMs))).toBe('waiting')
    // A request behind one that waits begins, too.
    const third = await ask()
    expect(await eraseNext(at(dayMs))).toBe('waiting')
    expect((await receipt(control, third)).state).toBe('running')
    expect(await eraseNext(at(dayMs + 1))).toBe('done')
    expect((await receipt(control, second)).limits.at(-1)).toContain('A node was down for more than a day.')
  })

  test('a preview shows fields of all kinds before and after, and stores nothing', async () => {
    const control = await newControl()
    const { web, rival } = await newProjects(control)
    await send({ projectId: web, name: `${web}p`, user: ada }, { projectId: rival, name: `${rival}p`, user: bob })
    const viewer = viewAs({ control, telemetry: store.telemetry }, { projects: [web], now })
    const before = await countRows(web)
    const rule = { path: '**.email', pattern: '', action: 'replace' } as const
    const result = await previewScrubRule(viewer, { projectId: null, rule, hashKey: 'key' })
    if (!result.ok) throw new Error(result.code)
    const { checked, changed, fields } = result.preview
    expect(checked).toEqual({ error: 1, span: 2, log: 1, feedback: 1 })
    expect(changed).toBe(4)
    expect(new Set(fields.map(({ kind }) => kind))).toEqual(new Set(['error', 'span', 'log', 'feedback']))
    expect(fields[0]).toMatchObject({ path: 'user.email', before: ada.email, after: '[scrubbed]' })
    expect(JSON.stringify(fields)).not.toContain(bob.email)
    expect(await countRows(web)).toEqual(before)
    expect(await control.db.selectFrom('scrub_rule').select('id').execute()).toEqual([])
    expect(
      await previewScrubRule(viewer, { projectId: web, rule: { ...rule, path: '', pattern: '(' }, hashKey: 'key' }),
    ).toEqual({ ok: false, code: 'pattern_invalid' })
  })
})
