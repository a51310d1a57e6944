import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isControlMigrated, migrateControl } from '#store/control/migrate-control.ts'
import type { Migration } from '#store/control/migration.ts'
import { type ControlMigrations, migrations } from '#store/control/migrations/list.ts'
import type { Control, ControlLocation } from '#store/control/open-control.ts'
import { type EngineUnderTest, silentLog } from '../on-each-engine.ts'
import { oldVersion, readSchema } from './control-schema.ts'

const { before, baseline, numbered } = migrations
const namesOf = (list: readonly Migration[]) => list.map(({ name }) => name)
const names = namesOf([baseline, ...numbered])
const withExtra = (extra: readonly Migration[]): ControlMigrations => ({
  ...migrations,
  numbered: [...numbered, ...extra],
})

export function migrationsSuite({ dialect, newPlace, open }: EngineUnderTest): void {
  describe('migrations', () => {
    const migrate = (control: Control, { dataDir }: ControlLocation, steps?: ControlMigrations) =>
      migrateControl(control, { dataDir, log: silentLog, ...(steps ? { migrations: steps } : {}) })

    test('a new database gets every table, and a second start finds nothing to do', async () => {
      const place = await newPlace()
      const control = open(place)
      expect(await migrate(control, place)).toEqual({ applied: names, backup: null })
      expect(await migrate(control, place)).toEqual({ applied: [], backup: null })
      expect(await control.db.selectFrom('issue_hash').selectAll().execute()).toEqual([])
    })

    test('is over when the last migration is done: sign-in is opened no earlier, also after an update', async () => {
      const place = await newPlace()
      const control = open(place)
      expect(await isControlMigrated(control)).toBe(false)
      await migrate(control, place, { ...migrations, numbered: numbered.slice(0, -1) })
      expect(await isControlMigrated(control)).toBe(false)
      await migrate(control, place)
      expect(await isControlMigrated(control)).toBe(true)
    })

    test('of several that start at once one migrates and the others wait for it', async () => {
      const place = await newPlace()
      const results = await Promise.all([1, 2, 3, 4].map(() => migrate(open(place), place)))
      expect(results.flatMap(({ applied }) => applied)).toEqual(names)
    })

    test('a database that a newer version has migrated is refused with a sentence', async () => {
      const place = await newPlace()
      const control = open(place)
      await migrate(control, place)
      await sql`insert into control_migration values ('9999-future', 'x', 1)`.execute(control.db)
      const refusal = migrate(control, place)
      await expect(refusal).rejects.toMatchObject({ code: 'control_newer' })
      await expect(refusal).rejects.toThrow(/newer than this version of Hydrant: it has 9999-future/)
    })

    test('before a database with data is changed a copy of it is made, where it is a file', async () => {
      const place = await newPlace()
      const control = open(place)
      await migrate(control, place, oldVersion(2))
      await control.db.insertInto('organization').values({ slug: 'acme', name: 'Acme', created_at: 1 }).execute()
      const { applied, backup } = await migrate(control, place)
      expect(applied).toEqual([...namesOf(before.slice(2)), ...names])
      if (dialect === 'postgres' || backup === null)
        return expect({ dialect, backup }).toEqual({ dialect: 'postgres', backup: null })
      expect(backup).toMatch(/control-backups\/control-\d{8}T\d{9}Z-before-0003\.db$/)
      expect(statSync(backup).mode & 0o777).toBe(0o600)
      const copy = new Database(backup, { readonly: true })
      expect(copy.prepare('select slug from organization').all()).toEqual([{ slug: 'acme' }])
      expect(copy.prepare("select name from sqlite_schema where name = 'issue'").all()).toEqual([])
      copy.close()
    })

    test.runIf(dialect === 'sqlite')('the last five copies are kept', async () => {
      const place = await newPlace()
      const control = open(place)
      const extra = Array.from({ length: 8 }, (_, index): Migration => {
        return {
          name: `90${index}0-extra`,
          statements: schema => [schema.createTable(`extra_${index}`).addColumn('a', 'text')],
        }
      })
      for (let count = 0; count <= extra.length; count++)
        await migrate(control, place, withExtra(extra.slice(0, count)))
      const copies = readdirSync(join(place.dataDir, 'control-backups')).sort()
      expect(copies.map(name => name.slice(-7, -3))).toEqual(['9030', '9040', '9050', '9060', '9070'])
    })

    test('a step that fails leaves the database as it was, with the steps before it undone', async () => {
      const place = await newPlace()
      const control = open(place)
      const broken: Migration = {
        name: '9000-broken',
        statements: schema => [1, 2].map(() => schema.createTable('twice').addColumn('a', 'text')),
      }
      await expect(migrate(control, place, withExtra([broken]))).rejects.toThrow(/twice/)
      await expect(control.db.selectFrom('organization').selectAll().execute()).rejects.toThrow()
      expect((await migrate(control, place)).applied).toEqual(names)
    })

    test('a database of an older version gets the same tables as a new one', async () => {
      const created = await newPlace()
      await migrate(open(created), created)
      const wanted = await readSchema(open(created))
      expect(Object.keys(wanted).length).toBeGreaterThan(40)
      // 0.1.0 had applied all but the last; whoever ran unreleased versions may have fewer.
      for (const count of [1, 5, before.length - 1, before.length]) {
        const place = await newPlace()
        const control = open(place)
        await migrate(control, place, oldVersion(count))
        expect((await migrate(control, place)).applied).toEqual([...namesOf(before.slice(count)), ...names])
        const adopted = await readSchema(control)
        expect(Object.keys(adopted)).toEqual(Object.keys(wanted))
        for (const [table, lines] of Object.entries(wanted))
          expect(adopted[table], `${table} of the baseline differs from what the older migrations make`).toEqual(lines)
        expect(await migrate(control, place)).toEqual({ applied: [], backup: null })
      }
    })

    test('a database whose migrations were edited after they were applied is refused', async () => {
      const place = await newPlace()
      const control = open(place)
      await migrate(control, place)
      await sql`update control_migration set checksum = 'other' where name = ${names[0]}`.execute(control.db)
      await expect(migrate(control, place)).rejects.toMatchObject({ code: 'control_edited' })
      const older = await newPlace()
      await migrate(open(older), older, oldVersion(before.length))
      await sql`update control_migration set checksum = 'other' where name = ${before[0]?.name}`.execute(open(older).db)
      await expect(migrate(open(older), older)).rejects.toMatchObject({ code: 'control_edited' })
    })
  })
}
