import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordCheckIns } from '#domain/monitors/record-check-ins.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { migrations } from '#store/control/migrations/list.ts'
import type { Control } from '#store/control/open-control.ts'
import { oldVersion } from './control-suites/control-schema.ts'
import { onEachEngine, silentLog } from './on-each-engine.ts'
import { makeWorld } from './workflow-world.ts'

const [nightly, next] = ['a'.repeat(32), 'b'.repeat(32)]
const schedule = '{"schedule":{"type":"crontab","value":"0 3 * * *"}}'

const monitorStates = ({ db }: Control) =>
  db
    .selectFrom('monitor_environment')
    .innerJoin('monitor', 'monitor.id', 'monitor_id')
    .select(['environment', 'last_status', 'config'])
    .orderBy('environment')
    .execute()

onEachEngine(({ newAcme, newPlace, open }) => {
  test.each([
    {
      case: 'in order',
      told: [
        [nightly, 'in_progress'],
        [nightly, 'error'],
      ],
      status: 'error',
    },
    {
      case: 'the end before the beginning',
      told: [
        [nightly, 'error'],
        [nightly, 'in_progress'],
      ],
      status: 'error',
    },
    {
      case: 'the next run begins',
      told: [
        [nightly, 'error'],
        [next, 'in_progress'],
      ],
      status: 'in_progress',
    },
    {
      case: 'without ids',
      told: [
        ['', 'ok'],
        ['', 'in_progress'],
      ],
      status: 'in_progress',
    },
  ])('a monitor knows how its last run ended: $case', async ({ told, status }) => {
    const { control, web } = await makeWorld(await newAcme())
    for (const [checkInId = '', status = ''] of told) {
      const config = status === 'in_progress' ? schedule : null
      const grouped = { projectId: web, slug: 'nightly', environment: 'production', checkInId, status, at: 1, config }
      await control.db.transaction().execute(trx => recordCheckIns(trx, [grouped]))
    }
    expect(await monitorStates(control)).toEqual([{ environment: 'production', last_status: status, config: schedule }])
  })

  test('each environment of a monitor has a state of its own, and they share the schedule', async () => {
    const { control, web } = await makeWorld(await newAcme())
    const checkIn = { projectId: web, slug: 'nightly', at: 1, config: null }
    const groupedEvents = [
      { ...checkIn, environment: 'production', checkInId: nightly, status: 'error', config: schedule },
      { ...checkIn, environment: 'staging', checkInId: next, status: 'ok' },
      { ...checkIn, environment: 'staging', checkInId: nightly, status: 'in_progress' },
    ]
    await control.db.transaction().execute(trx => recordCheckIns(trx, groupedEvents))
    expect(await monitorStates(control)).toEqual([
      { environment: 'production', last_status: 'error', config: schedule },
      { environment: 'staging', last_status: 'in_progress', config: schedule },
    ])
  })

  test('a monitor from before environments had states keeps its state', async () => {
    const place = await newPlace()
    const control = open(place)
    const older = oldVersion(migrations.before.findIndex(({ name }) => name === '0028-linked-users'))
    await migrateControl(control, { dataDir: place.dataDir, log: silentLog, migrations: older })
    await sql`insert into organization (id, slug, name, created_at) values (1, 'acme', 'Acme', 1)`.execute(control.db)
    await sql`insert into project (id, organization_id, slug, name, platform, is_internal, last_issue_number, created_at)
      values (1, 1, 'web', 'Web', 'node', 0, 0, 1)`.execute(control.db)
    await sql`insert into monitor (project_id, slug, config, last_status, last_check_in_at, last_check_in_id, created_at)
      values (1, 'nightly', ${schedule}, 'error', 5, ${nightly}, 1)`.execute(control.db)
    await migrateControl(control, { dataDir: place.dataDir, log: silentLog })
    expect(await monitorStates(control)).toEqual([
      { environment: 'production', last_status: 'error', config: schedule },
    ])
  })
})
