/** A deleted project is removed from all stores, once, also if the process dies in between. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { deleteProject, graceMs } from '#domain/projects/change-project.ts'
import { projectBlobKinds, purgeProjects } from '#jobs/purge-projects.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { tableNames } from '#store/telemetry/tables.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { silentLog } from './on-each-engine.ts'
import { describeOther, projectId, writeOther } from './scope/other-organization.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'
import { makeWorld, type World } from './workflow-world.ts'

const other = describeOther()
const hourMs = 3_600_000
const single = { kind: 'single' } as const
let store: TelemetryUnderTest
let telemetry: Telemetry
let control: Control
let blobs: Blobs
let world: World

beforeAll(async () => {
  store = await borrowTelemetry()
  ;({ telemetry } = store)
  control = openControl({ dataDir: store.folder, databaseUrl: undefined })
  await migrateControl(control, { dataDir: store.folder, log: silentLog })
  blobs = openBlobs({ dataDir: store.folder, blobsUrl: undefined })
  world = await makeWorld(control)
  await writeOther(control, telemetry, other)
  // Their deleted project would be purged too.
  await control.db.deleteFrom('project').where('deleted_at', 'is not', null).execute()
  for (const kind of projectBlobKinds)
    for (const owner of [projectId, world.web])
      await blobs.put(`${kind}/2026-11-01/${owner}/a`, { kind: 'bytes', bytes: Buffer.from('x') })
  await world.addIssue()
})
afterAll(async () => {
  await control?.close()
  await store?.stop()
})

/** Rows by table and store: those of the project, or all others. */
async function countRows(isOwn: boolean): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const condition = isOwn ? '=' : '!='
  for (const table of [...tableNames, 'issue_state']) {
    const [row] = await telemetry.query({
      query: `SELECT toUInt32(count()) AS rows FROM ${table} WHERE project_id ${condition} {id:UInt64} LIMIT 1`,
      params: { id: projectId },
      schema: z.object({ rows: z.number() }),
    })
    counts[table] = row?.rows ?? 0
  }
  const { rows: tables } = await sql<{ name: string }>`
    select t.name from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table' and c.name = 'project_id'
  `.execute(control.db)
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(name)} where project_id ${sql.raw(condition)} ${projectId}`.execute(
      control.db,
    )
    counts[`control ${name}`] = rows[0]?.n ?? 0
  }
  for (const kind of projectBlobKinds) {
    const keys = [projectId, world.web].filter(id => (id === projectId) === isOwn)
    const sizes = await Promise.all(keys.map(id => blobs.size(`${kind}/2026-11-01/${id}/a`)))
    counts[`blobs ${kind}`] = sizes.filter(size => size !== null).length
  }
  return counts
}
const filled = (counts: Record<string, number>) => Object.keys(counts).filter(name => (counts[name] ?? 0) > 0)

/** Stores that fail at the n-th write, as if the process had died there. */
function dyingAt(fatal: number) {
  let writes = 0
  const step =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (++writes === fatal) throw new Error('died')
      return run(...args)
    }
  return {
    telemetry: { ...telemetry, command: step(telemetry.command.bind(telemetry)) },
    blobs: { ...blobs, removeOfProject: step(blobs.removeOfProject.bind(blobs)) },
  }
}

test('everything of the project goes after the grace period, through a death at any step, and nothing else', async () => {
  const [own, others] = [await countRows(true), await countRows(false)]
  expect(filled(own)).toEqual(
    expect.arrayContaining(['events', 'spans', 'event_index', 'control issue', 'control issue_hash', 'blobs replay']),
  )
  const now = other.now
  const doomed = { organizationId: 900, projectId, confirmation: 'app' }
  expect(await deleteProject({ ...world.context, now: () => now }, doomed)).toEqual({ ok: true })
  const stores = { control, telemetry, blobs, layout: single }
  expect(await purgeProjects(stores, now + graceMs)).toBe(0)
  expect(filled(await countRows(true))).toEqual(filled(own))

  const late = now + graceMs + 3 * hourMs
  let deaths = 0
  for (let fatal = 1; ; fatal++) {
    const outcome = await purgeProjects({ ...stores, ...dyingAt(fatal) }, late).catch((error: Error) => error.message)
    if (outcome !== 'died') {
      expect(outcome).toBe(1)
      break
    }
    deaths++
  }
  expect(deaths).toBeGreaterThan(tableNames.length)
  expect(await purgeProjects(stores, late)).toBe(0)
  expect(filled(await countRows(true))).toEqual([])
  expect(await countRows(false)).toEqual(others)
  const purges = await control.db.selectFrom('audit').select('target').where('action', '=', 'project.purge').execute()
  expect(purges).toEqual([{ target: `project:${projectId}` }])
})
