/** A new store and one of 0.1.0 end up with the same tables, and a killed start is continued. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createTables } from '#store/telemetry/create-table.ts'
import { listTelemetryMigrations } from '#store/telemetry/list-migrations.ts'
import { hasAllTables, migrateTelemetry } from '#store/telemetry/migrate-telemetry.ts'
import { renderStatements } from '#store/telemetry/table-layout.ts'
import { allTables } from '#store/telemetry/tables.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { longTest } from '../long.ts'
import { startTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'

const single = { kind: 'single' } as const
const cluster = { kind: 'cluster', cluster: 'hydrant' } as const
let store: TelemetryUnderTest
let telemetry: Telemetry

beforeAll(async () => {
  store = await startTelemetry()
  ;({ telemetry } = store)
})
afterAll(() => store?.stop())
beforeEach(async () => {
  for (const { name } of await readTables()) await telemetry.command(`DROP TABLE ${name}`)
  await telemetry.command('DROP TABLE IF EXISTS schema_migration')
})

const migrate = () => migrateTelemetry(telemetry, single)

const readTables = () =>
  telemetry.query({
    query: `SELECT name, create_table_query AS sql FROM system.tables
            WHERE database = currentDatabase() AND name != 'schema_migration' ORDER BY name LIMIT 1000`,
    schema: z.object({ name: z.string(), sql: z.string() }),
  })

/** By table, in lines. A setting that was changed later stands behind the others, which is no difference. */
async function readSchema(): Promise<Record<string, string[]>> {
  const columns = await telemetry.query({
    query: `SELECT table, concat(toString(position), ' ', name, ' ', type, ' ', default_kind, ' ', default_expression, ' ', compression_codec) AS line
            FROM system.columns WHERE database = currentDatabase() AND table != 'schema_migration' ORDER BY table, position LIMIT 10000`,
    schema: z.object({ table: z.string(), line: z.string() }),
  })
  return Object.fromEntries(
    (await readTables()).map(({ name, sql }) => {
      const [definition = '', settings = ''] = sql.split(' SETTINGS ')
      const own = columns.filter(({ table }) => table === name).map(({ line }) => line)
      return [name, [definition, ...settings.split(', ').sort(), ...own]]
    }),
  )
}

const readLedger = async () =>
  (
    await telemetry.query({
      query: 'SELECT name FROM schema_migration ORDER BY name LIMIT 1000',
      schema: z.object({ name: z.string() }),
    })
  ).map(({ name }) => name)

/** As version 0.1.0 made its tables, up to where it was killed. */
async function migrateLikeOldVersion(count: number): Promise<void> {
  const ledger = '(name String, checksum String, at DateTime) ENGINE = MergeTree ORDER BY name'
  await telemetry.command(`CREATE TABLE IF NOT EXISTS schema_migration ${ledger}`)
  const { before } = await listTelemetryMigrations()
  for (const { name, checksum, sql } of before.slice(0, count)) {
    for (const statement of renderStatements(sql, single)) await telemetry.command(statement)
    await telemetry.command(`INSERT INTO schema_migration VALUES ('${name}', '${checksum}', now())`)
  }
}

const insertEvents = () =>
  telemetry.command(`INSERT INTO events (project_id, event_id, timestamp, retention_days, group_hash, url)
    SELECT 1, generateUUIDv4(), toDateTime64('2026-11-16 12:00:00', 3, 'UTC'), 30, repeat('a', 32), 'https://shop.example/' FROM numbers(3)`)

const readScores = async () =>
  (
    await telemetry.query({
      query: 'SELECT detail_score AS score, count() AS rows FROM event_index GROUP BY score LIMIT 10',
      schema: z.object({ score: z.number(), rows: z.coerce.number() }),
    })
  ).map(({ score, rows }) => [score, rows])

test('a new store is created at once, and a second start has nothing to do', async () => {
  const { baseline, numbered } = await listTelemetryMigrations()
  const names = [baseline, ...numbered].map(({ name }) => name)
  expect(await migrate()).toEqual(names)
  expect(await readLedger()).toEqual(names)
  expect(Object.keys(await readSchema())).toEqual(Object.keys(allTables).sort())
  expect(await hasAllTables(telemetry)).toBe(true)
  expect(await migrate()).toEqual([])
})

longTest('a store of 0.1.0 gets the same tables as a new one, wherever its first start was killed', async () => {
  await migrate()
  const created = await readSchema()
  const { before, baseline, numbered } = await listTelemetryMigrations()
  for (const count of [1, 4, before.length]) {
    for (const name of [...Object.keys(allTables), 'schema_migration']) await telemetry.command(`DROP TABLE ${name}`)
    await migrateLikeOldVersion(count)
    expect(await hasAllTables(telemetry)).toBe(false)
    const pending = [...before.slice(count), baseline, ...numbered].map(({ name }) => name)
    expect(await migrate()).toEqual(pending)
    const migrated = await readSchema()
    expect(Object.keys(migrated)).toEqual(Object.keys(created))
    for (const [name, lines] of Object.entries(created))
      expect(
        migrated[name],
        `The definition of ${name} (src/store/telemetry/tables/) differs from what the migrations make of an older store. A changed definition needs a new file in src/store/telemetry/migrations/: see "Add a column" in CONTRIBUTING.md.`,
      ).toEqual(lines)
    expect(await migrate()).toEqual([])
  }
})

test('events of 0.1.0 keep their detail score, also when the start that renames it is killed before it is recorded', async () => {
  const { before, numbered } = await listTelemetryMigrations()
  await migrateLikeOldVersion(3) // events without an index
  await insertEvents()
  await telemetry.command('DROP TABLE schema_migration')
  await migrateLikeOldVersion(before.length)
  const rename = numbered.find(({ name }) => name === '0031-detail-score')
  for (const statement of renderStatements(rename?.sql ?? '', single)) await telemetry.command(statement)
  expect(await readScores()).toEqual([[1, 3]])
  await migrate()
  expect(await readScores()).toEqual([[1, 3]])
})

test('a store whose migrations were edited after they were applied is refused', async () => {
  await migrate()
  const { before, baseline, numbered } = await listTelemetryMigrations()
  for (const { name, checksum } of [baseline, ...numbered.slice(0, 1)]) {
    const edit = (text: string) =>
      telemetry.command(`ALTER TABLE schema_migration UPDATE checksum = '${text}' WHERE name = '${name}'`, {
        mutations_sync: 2,
      })
    await edit('other')
    await expect(migrate()).rejects.toThrow(`another version of ${name}`)
    await edit(checksum)
    expect(await migrate()).toEqual([])
  }
  await telemetry.command(`INSERT INTO schema_migration VALUES ('${before[0]?.name}', 'other', now())`)
  await expect(migrate()).rejects.toThrow(`another version of ${before[0]?.name}`)
})

test('a store that a newer version has migrated is refused', async () => {
  await migrate()
  await telemetry.command("INSERT INTO schema_migration VALUES ('9999-future', 'x', now())")
  await expect(migrate()).rejects.toThrow(/newer version of Hydrant \(9999-future\)/)
})

test('tables that a killed first start left behind are completed or replaced', async () => {
  await migrate()
  const created = await readSchema()
  // As 0.1.0 begins, without having recorded anything; then as this version begins.
  const { before } = await listTelemetryMigrations()
  for (const statements of [renderStatements(before[0]?.sql ?? '', single), createTables(single)]) {
    for (const name of [...Object.keys(allTables), 'schema_migration']) await telemetry.command(`DROP TABLE ${name}`)
    for (const statement of statements.slice(0, 3)) await telemetry.command(statement)
    await migrate()
    expect(await readSchema()).toEqual(created)
  }
})

test('a store that lost its ledger keeps its rows', async () => {
  await migrate()
  await insertEvents()
  await telemetry.command('DROP TABLE schema_migration')
  await migrate()
  const rows = { query: 'SELECT count() AS rows FROM events LIMIT 1', schema: z.object({ rows: z.coerce.number() }) }
  expect(await telemetry.query(rows)).toEqual([{ rows: 3 }])
  await telemetry.command('ALTER TABLE events DROP COLUMN device')
  await telemetry.command('DROP TABLE schema_migration')
  await expect(migrate()).rejects.toThrow(/has rows in events, made by another version/)
  expect(await telemetry.query(rows)).toEqual([{ rows: 3 }])
})

test('the statements for a cluster are ones that ClickHouse understands', async () => {
  const { before, numbered } = await listTelemetryMigrations()
  const created = createTables(cluster)
  const older = [...before, ...numbered].flatMap(({ sql }) => renderStatements(sql, cluster))
  // Every table twice, here and over the cluster.
  for (const statements of [created, older])
    for (const table of Object.keys(allTables))
      expect(
        statements.filter(statement => new RegExp(`^CREATE TABLE IF NOT EXISTS ${table}(_local)? `).test(statement)),
      ).toHaveLength(2)
  for (const statement of [...created, ...older]) {
    // What is sent to a Distributed table reaches the cluster by itself.
    if (!statement.startsWith('INSERT')) expect(statement).toContain('ON CLUSTER hydrant')
    expect(statement).not.toMatch(/\{(engine|onCluster|settings|local)/)
    // A query may not change settings, and EXPLAIN is one.
    await telemetry.command(`EXPLAIN AST ${statement.replace(/\nSETTINGS (?:min_insert|max_partitions).*$/, '')}`)
  }
  await expect(telemetry.command('EXPLAIN AST CREATE TABLE x ON CLUSTER (')).rejects.toThrow('Syntax error')
})

test('a cluster gets the same engines, keys and settings from the definitions as it got from the migrations', async () => {
  const { before, numbered } = await listTelemetryMigrations()
  const older = [...before, ...numbered].flatMap(({ sql }) => renderStatements(sql, cluster))
  // What stands behind the columns; the migrations after the first ones only changed settings and columns.
  const tailOf = (statement: string) =>
    statement.slice(statement.search(/\) ?ENGINE|ENGINE = Distributed/)).replace(/\s+/g, ' ')
  for (const statement of createTables(cluster)) {
    const [head] = statement.split(/ \(| AS /)
    const old = older.find(text => text.startsWith(`${head} `))
    const later = head?.includes('event_index_local') ? ', min_age_to_force_merge_seconds = 14400' : ''
    expect(tailOf(statement)).toBe(`${tailOf(old ?? '')}${later}`)
  }
})
