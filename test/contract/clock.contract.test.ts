import { expect, test } from 'vitest'
import { beginTrustedClock, maintenanceEveryMs, trustClock } from '#store/control/trust-clock.ts'
import { onEachEngine } from './on-each-engine.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const begin = Date.UTC(2026, 10, 1)

onEachEngine(({ newControl }) => {
  test('retention follows a clock that passes, and one that goes back', async () => {
    const control = await newControl()
    for (const now of [begin, begin + hourMs, begin + 2 * hourMs, begin, begin + hourMs])
      expect(await trustClock(control, now)).toEqual({ trustedMs: now, isLeap: false })
  })

  test('a leap of 40 days counts as the time between two runs, until a day of runs has confirmed it', async () => {
    const control = await newControl()
    await trustClock(control, begin)
    for (let run = 1; run < 48; run++) {
      const { trustedMs, isLeap } = await trustClock(control, begin + 40 * dayMs + run * maintenanceEveryMs)
      expect([run, isLeap, trustedMs]).toEqual([run, true, begin + run * maintenanceEveryMs])
    }
    const confirmed = begin + 41 * dayMs
    expect(await trustClock(control, confirmed)).toEqual({ trustedMs: confirmed, isLeap: false })
  })

  test('a leap that was digested before the first run is one too', async () => {
    const control = await newControl()
    await beginTrustedClock(control, begin)
    const leapt = begin + 40 * dayMs
    const cursor = { inbox_id: 'inbox', batch: 1, segment: 1, position: 1, updated_at: leapt }
    await control.db.insertInto('inbox_cursor').values(cursor).execute()
    await beginTrustedClock(control, leapt)
    expect(await trustClock(control, leapt)).toEqual({ trustedMs: begin + maintenanceEveryMs, isLeap: true })
  })

  test('a leap that is taken back leaves nothing behind', async () => {
    const control = await newControl()
    await trustClock(control, begin)
    await trustClock(control, begin + 40 * dayMs)
    const now = begin + hourMs
    expect(await trustClock(control, now)).toEqual({ trustedMs: now, isLeap: false })
  })
})
