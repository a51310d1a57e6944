import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { migrateControl } from '#store/control/migrate-control.ts'
import type { Control } from '#store/control/open-control.ts'
import { type EngineUnderTest, silentLog } from '../on-each-engine.ts'

const at = 1_794_700_000_000

export function databaseSuite({ dialect, newPlace, open, newControl }: EngineUnderTest): void {
  describe('the database', () => {
    const organization = (control: Control, slug: string) =>
      control.db
        .insertInto('organization')
        .values({ slug, name: slug, created_at: at })
        .returning('id')
        .executeTakeFirstOrThrow()

    test('ids, times, counts and sums are numbers', async () => {
      const control = await newControl()
      const { id } = await organization(control, 'acme')
      await control.db
        .insertInto('seen_event')
        .values([1, 2].map(n => ({ project_id: 4_505_123_456_789_012, event_id: `e${n}`, seen_at: at })))
        .execute()
      const row = await control.db
        .selectFrom('seen_event')
        .select(eb => [
          eb.fn.countAll<number>().as('rows'),
          eb.fn.sum<number>('seen_at').as('sum'),
          eb.fn.max('project_id').as('project'),
        ])
        .executeTakeFirstOrThrow()
      expect(id).toBe(1)
      expect(row).toEqual({ rows: 2, sum: at * 2, project: 4_505_123_456_789_012 })
    })

    test('bytes come back as bytes', async () => {
      const control = await newControl()
      const { id: organizationId } = await organization(control, 'acme')
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
      await control.db
        .insertInto('project')
        .values({
          id: 5,
          organization_id: organizationId,
          slug: 'web',
          name: 'web',
          platform: '',
          is_internal: 0,
          last_issue_number: 0,
          created_at: at,
        })
        .execute()
      const issue = await control.db
        .insertInto('issue')
        .values({
          project_id: 5,
          number: 1,
          title: 't',
          culprit: '',
          kind: 'error',
          level: 'error',
          status: 'unresolved',
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await control.db
        .insertInto('issue_hash')
        .values({
          project_id: 5,
          group_version: 1,
          group_hash: 'h',
          issue_id: issue.id,
          event_count: 1,
          first_seen: at,
          last_seen: at,
          first_release: '',
          last_release: '',
          last_event_id: '',
          user_sketch: bytes,
          user_count: 0,
        })
        .execute()
      const row = await control.db.selectFrom('issue_hash').select('user_sketch').executeTakeFirstOrThrow()
      expect(Uint8Array.from(row.user_sketch)).toEqual(bytes)
      await control.db.deleteFrom('organization').execute()
      expect(await control.db.selectFrom('issue_hash').select('issue_id').execute()).toEqual([])
    })

    test('what must be unique is, and what must refer does', async () => {
      const control = await newControl()
      await organization(control, 'acme')
      await expect(organization(control, 'acme')).rejects.toThrow(/unique/i)
      const orphan = control.db
        .insertInto('member')
        .values({ organization_id: 1, user_id: 'nobody', role: 'owner', created_at: at })
      await expect(orphan.execute()).rejects.toThrow(/foreign key/i)
    })

    test('a transaction that throws leaves nothing', async () => {
      const control = await newControl()
      const work = control.db.transaction().execute(async trx => {
        await organization({ ...control, db: trx }, 'acme')
        throw new Error('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(await control.db.selectFrom('organization').selectAll().execute()).toEqual([])
    })

    test('two that read and then write at the same time both succeed, one after the other', async () => {
      const place = await newPlace()
      const [first, second] = [open(place), open(place)]
      await migrateControl(first, { dataDir: place.dataDir, log: silentLog })
      await first.db.insertInto('setting').values({ name: 'count', value: '0' }).execute()
      const increase = (control: Control) =>
        control.db.transaction().execute(async trx => {
          const row = await trx
            .selectFrom('setting')
            .select('value')
            .where('name', '=', 'count')
            .$if(dialect === 'postgres', query => query.forUpdate())
            .executeTakeFirstOrThrow()
          await trx
            .updateTable('setting')
            .set({ value: String(Number(row.value) + 1) })
            .where('name', '=', 'count')
            .execute()
        })
      await Promise.all(Array.from({ length: 40 }, (_, index) => increase(index % 2 === 0 ? first : second)))
      expect(await first.db.selectFrom('setting').select('value').where('name', '=', 'count').execute()).toEqual([
        { value: '40' },
      ])
    })

    test.runIf(dialect === 'sqlite')(
      'the file and its journal are for our own eyes, and synced on every commit',
      async () => {
        const place = await newPlace()
        const control = open(place)
        await migrateControl(control, { dataDir: place.dataDir, log: silentLog })
        for (const name of ['control.db', 'control.db-wal', 'control.db-shm']) {
          expect(statSync(join(place.dataDir, name)).mode & 0o777).toBe(0o600)
        }
        expect((await sql<{ synchronous: number }>`pragma synchronous`.execute(control.db)).rows).toEqual([
          { synchronous: 2 },
        ])
        expect((await sql<{ journal_mode: string }>`pragma journal_mode`.execute(control.db)).rows).toEqual([
          { journal_mode: 'wal' },
        ])
        expect((await sql<{ timeout: number }>`pragma busy_timeout`.execute(control.db)).rows).toEqual([
          { timeout: 5000 },
        ])
      },
    )
  })
}
