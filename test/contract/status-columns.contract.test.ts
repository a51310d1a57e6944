/** Terms of a status that queries filter by: a database from before they were columns gets them from its JSON. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrateControl } from '#store/control/migrate-control.ts'
import { migrations } from '#store/control/migrations/list.ts'
import { termColumns } from '#store/control/status-detail.ts'
import { onEachEngine, silentLog } from './on-each-engine.ts'

const states = [
  ['unresolved', {}],
  ['resolved', { kind: 'now', release: 'web@1' }],
  ['resolved', { kind: 'in_release', version: 'web@2' }],
  ['resolved', { kind: 'next_release', after: 'web@1 "quoted"' }],
  ['resolved', { kind: 'next_release', after: 'web@1', version: 'web@3' }],
  ['archived', { kind: 'forever' }],
  ['archived', { kind: 'until_events', count: 5, more: 2 }],
  ['archived', { kind: 'until_date', at: 1_794_700_000_123 }],
] as const

onEachEngine(({ newPlace, open }) => {
  test('an upgrade fills the columns as a change of the status would', async () => {
    const place = await newPlace()
    const control = open(place)
    const before = migrations.numbered.findIndex(({ name }) => name === '0037-status-columns')
    const migrate = (steps = migrations) =>
      migrateControl(control, { dataDir: place.dataDir, log: silentLog, migrations: steps })
    await migrate({ ...migrations, numbered: migrations.numbered.slice(0, before) })
    const { db } = control
    await sql`insert into organization (id, slug, name, created_at) values (1, 'acme', 'Acme', 1)`.execute(db)
    await sql`insert into project (id, organization_id, slug, name, platform, is_internal, last_issue_number, created_at)
              values (1, 1, 'web', 'web', '', 0, 0, 1)`.execute(db)
    for (const [index, [status, detail]] of states.entries())
      await sql`insert into issue (id, project_id, number, title, culprit, kind, level, status, status_detail, created_at)
                values (${index + 1}, 1, ${index + 1}, '', '', '', '', ${status}, ${JSON.stringify(detail)}, 1)`.execute(
        db,
      )
    await sql`insert into issue_activity (issue_id, project_id, at, actor, kind, detail)
              values (1, 1, 1, '', 'regressed', '{"release":"web@4"}'), (1, 1, 1, '', 'comment', '{"text":"release"}')`.execute(
      db,
    )
    await migrate()
    const rows = await db
      .selectFrom('issue')
      .select(['waits_after', 'resolved_in', 'archived_until'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual(states.map(([status, detail]) => termColumns(status, JSON.stringify(detail))))
    expect(rows.filter(row => Object.values(row).some(value => value !== null))).toHaveLength(4)
    const activities = await db.selectFrom('issue_activity').select('release').orderBy('id').execute()
    expect(activities).toEqual([{ release: 'web@4' }, { release: null }])
  })
})
