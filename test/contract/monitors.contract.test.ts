import { expect, test } from 'vitest'
import { noteMonitors } from '#digest/loop/note-monitors.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld } from './workflow-world.ts'

const [nightly, next] = ['a'.repeat(32), 'b'.repeat(32)]
const schedule = '{"schedule":{"type":"crontab","value":"0 3 * * *"}}'

onEachEngine(({ newControl }) => {
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
    const { control, web } = await makeWorld(await newControl())
    for (const [checkInId = '', status = ''] of told) {
      const config = status === 'in_progress' ? schedule : null
      const sighting = { projectId: web, slug: 'nightly', checkInId, status, at: 1, config }
      await control.db.transaction().execute(trx => noteMonitors(trx, [sighting]))
    }
    expect(await control.db.selectFrom('monitor').select(['last_status', 'config']).execute()).toEqual([
      { last_status: status, config: schedule },
    ])
  })
})
