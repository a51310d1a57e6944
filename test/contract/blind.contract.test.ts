/** Rules judge windows in which Hydrant was down for a while. Only data sent during that time is missing. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reportClock } from '#domain/alerts/minute-clock.ts'
import { createUptime, missingIn, readPauses } from '#domain/alerts/pauses.ts'
import { begin, hourMs, makeMetricWorld, minuteMs } from './metric-world.ts'
import { onPostgres } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'

let store: TelemetryUnderTest
beforeAll(async () => {
  store = await borrowTelemetry()
})
afterAll(() => store?.stop())

const dayMs = 24 * hourMs
const errors = { dataset: 'errors', measure: 'count()', windowMs: dayMs, critical: 10 }
const slow = { dataset: 'spans', measure: 'p95(span.duration)', windowMs: hourMs, critical: 1_000 }

onPostgres(({ newAcme }) => {
  let world: Awaited<ReturnType<typeof makeMetricWorld>>
  beforeEach(async () => {
    world = await makeMetricWorld(await newAcme(), store.telemetry)
  })

  /** No node accepts data for a while. Then the node comes back with an empty inbox. */
  async function restart(downMs: number, inboxId = 'inbox'): Promise<void> {
    world.clock.now += downMs
    await reportClock(world.control, inboxId, world.clock.now, world.clock.now, world.clock.now)
    await world.judge()
  }
  const send = (count: number) => world.sendErrors(Array.from({ length: count }, () => ({})))
  const missing = async (windowMs: number) =>
    missingIn(await readPauses(world.control, 0, world.clock.now), world.clock.now - windowMs, world.clock.now)

  test('a rule over 24 hours fires in the first minutes after a restart, and a restart a day never blinds it', async () => {
    await world.addRule({ ...errors, warning: 4, resolved: 3 }, 'count')
    await world.addRule({ ...slow, windowMs: dayMs }, 'p95')
    await send(5)
    await world.sendSpans([{ durationMs: 100 }])
    await world.pass(3)
    await restart(20_000)
    await send(6)
    await world.sendSpans([{ durationMs: 4_000 }, { durationMs: 4_000 }])
    await world.pass(2)
    const told = [
      ['incident.opened', 'Number of errors is 5, above 4'],
      ['incident.worsened', 'Number of errors is 11, above 10'],
    ]
    expect((await world.told()).filter(([, reason]) => reason?.startsWith('Number'))).toEqual(told)
    expect((await world.told()).filter(([, reason]) => reason?.startsWith('p95'))).toHaveLength(1)
    for (let day = 0; day < 3; day++) {
      world.clock.now += dayMs
      await world.control.db.updateTable('node_clock').set({ reported_at: world.clock.now }).execute()
      await restart(20_000)
      await world.sendSpans([{ durationMs: 100 }])
      await world.pass(1)
      expect([day, (await world.detector(1)).state, (await world.detector(2)).state]).toEqual([day, 'ok', 'ok'])
    }
    expect((await world.told()).at(-1)?.[0]).toBe('incident.closed')
    expect(await missing(2 * dayMs)).toBeLessThan(2 * minuteMs)
  })

  test('a count that is above its limit in spite of what is missing is above it', async () => {
    await world.addRule({ ...errors, windowMs: 15 * minuteMs })
    await world.pass(1)
    await restart(12 * minuteMs)
    expect((await world.detector()).state).toBe('unknown')
    await send(11)
    await world.pass(1)
    expect(await world.told()).toEqual([['incident.opened', 'Number of errors is 11, above 10']])
    expect((await world.previewed()).told).toEqual(await world.told())
    expect((await world.previewed()).blindMs).toBeGreaterThan(7 * minuteMs)
    // Fewer than the limit may have been more: the incident waits until little of the window is missing.
    await world.pass(14)
    expect(await world.told()).toHaveLength(1)
    await world.pass(3)
    expect((await world.told()).slice(1)).toEqual([['incident.closed', 'Number of errors is back to 0']])
  })

  test('a count between what arrived and what that would be in a whole window is not judged', async () => {
    await world.addRule({ ...errors, windowMs: 100 * minuteMs, critical: 95 })
    await world.pass(1)
    await restart(10 * minuteMs)
    await send(90)
    await world.pass(1)
    // 90 in 90 minutes would be 100 in 100.
    expect(await world.detector()).toMatchObject({ state: 'unknown', gap: 'down', value: 90 })
    await send(6)
    await world.pass(1)
    expect((await world.detector()).state).toBe('failing')
  })

  test('silence while Hydrant was down fires no rule: neither a count below its limit nor a percentile without data', async () => {
    await world.addRule({ ...errors, windowMs: 10 * minuteMs, direction: 'below', critical: 3 }, 'below')
    await world.addRule({ ...slow, windowMs: 10 * minuteMs, noData: 'alert' }, 'alert')
    const busy = async () => {
      await send(3)
      await world.sendSpans([{}])
    }
    await busy()
    await world.pass(5, busy)
    await restart(2 * hourMs)
    await world.pass(8)
    expect(await world.told()).toEqual([])
    expect([(await world.detector(1)).gap, (await world.detector(2)).gap]).toEqual(['down', 'down'])
    await world.pass(2)
    expect((await world.told()).map(([, reason]) => reason).sort()).toEqual([
      'Number of errors is 0, below 3',
      'p95 of the duration has had no data for 10 min',
    ])
    for (const ruleId of [1, 2]) {
      const { told } = await world.previewed(ruleId)
      expect(told.at(-1)).toEqual((await world.told()).find(each => each[1]?.startsWith(ruleId === 1 ? 'N' : 'p')))
    }
  })

  test('what waited in an inbox is not missing, nor is what came while the control database was away', async () => {
    await world.addRule({ ...errors, windowMs: 30 * minuteMs, direction: 'below', critical: 3 })
    await send(5)
    await world.pass(5)
    const aliveSince = begin - hourMs
    // No report for a quarter of an hour: the node could not write one, but it accepted data.
    world.clock.now += 15 * minuteMs
    await reportClock(world.control, 'inbox', begin + 5 * minuteMs, world.clock.now, aliveSince)
    expect(await missing(hourMs)).toBe(0)
    // Digest stands still: nothing is judged, and nothing is missing later.
    world.clock.now += minuteMs
    await reportClock(world.control, 'inbox', world.clock.now, world.clock.now, aliveSince)
    await world.judge()
    expect((await world.detector()).state).toBe('ok')
    await world.pass(12)
    expect((await world.told()).map(([, reason]) => reason)).toEqual(['Number of errors is 0, below 3'])
  })

  test('while one node accepts data, nothing is missing; a killed node takes what it had not digested', async () => {
    await reportClock(world.control, 'other', world.clock.now, world.clock.now, world.clock.now)
    expect(await missing(dayMs)).toBe(0)
    // The second node stops for an hour.
    for (let minute = 0; minute < 60; minute++) {
      world.clock.now += minuteMs / 2
      await reportClock(world.control, 'inbox', world.clock.now, world.clock.now)
    }
    await reportClock(world.control, 'other', world.clock.now, world.clock.now, world.clock.now)
    expect(await missing(dayMs)).toBe(0)
    // It is killed with the records of 20 seconds in its inbox.
    await reportClock(world.control, 'other', world.clock.now - 20_000, world.clock.now, world.clock.now)
    for (let minute = 0; minute < 6; minute++) {
      world.clock.now += minuteMs / 2
      await reportClock(world.control, 'inbox', world.clock.now, world.clock.now)
    }
    expect(await missing(dayMs)).toBe(20_000)
    await reportClock(world.control, 'other', world.clock.now, world.clock.now, world.clock.now)
    expect(await missing(dayMs)).toBe(0)
  })

  test('a clock that was a day ahead or behind for 15 seconds blinds nothing afterwards', async () => {
    for (const leapMs of [dayMs, -dayMs]) {
      const readUptime = createUptime(begin - hourMs)
      const report = (nowMs: number) => reportClock(world.control, 'inbox', nowMs, nowMs, readUptime(nowMs))
      const start = world.clock.now
      for (const at of [0, 5_000]) await report(start + at)
      for (const at of [10_000, 15_000, 20_000]) await report(start + at + leapMs)
      for (const at of [25_000, 30_000]) await report(start + at)
      world.clock.now = start + 30_000
      expect([leapMs, await missing(2 * dayMs)]).toEqual([leapMs, 0])
      await world.control.db.updateTable('node_clock').set({ reported_at: world.clock.now }).execute()
    }
  })

  test('a computer that slept missed what was sent to it', async () => {
    const readUptime = createUptime(begin)
    await reportClock(world.control, 'inbox', begin, begin, readUptime(begin))
    world.clock.now = begin + hourMs
    await reportClock(world.control, 'inbox', world.clock.now, world.clock.now, readUptime(world.clock.now))
    expect(await missing(dayMs)).toBe(hourMs)
  })

  test('an installation knows nothing of the time before its first report, and an upgraded one keeps what it knew', async () => {
    const { db } = world.control
    await db.deleteFrom('node_clock').execute()
    await db.deleteFrom('ingest_pause').execute()
    await world.addRule({ ...errors, direction: 'below', critical: 3 })
    await world.judge()
    await world.pass(3)
    expect([await world.told(), (await world.detector()).state]).toEqual([[], 'unknown'])
    // Before the upgrade, a node stored only the end of its last pause. The migration sets it to 0.
    await db.updateTable('node_clock').set({ blind_until: 0 }).execute()
    await restart(20_000)
    await world.pass(2)
    expect((await world.told()).map(([, reason]) => reason)).toEqual(['Number of errors is 0, below 3'])
  })

  test('an issue has not more events than in the window before only because Hydrant was down then', async () => {
    const counts = [{ of: 'events', above: 3, percentMore: 100, withinMs: 10 * minuteMs }]
    await world.addRule(errors, 'more', { metric: null, counts })
    await send(5)
    await world.pass(5)
    const first = ['issue.frequent', '5 events in 10 minutes, 0 in the one before']
    expect(await world.told()).toEqual([first])
    await world.pass(10)
    await restart(20 * minuteMs)
    await world.pass(10, () => send(2))
    expect((await world.told()).slice(1)).toEqual([])
    await world.pass(15)
    await send(70)
    await world.pass(1)
    expect((await world.told()).slice(1)).toEqual([['issue.frequent', '70 events in 10 minutes, 8 in the one before']])
    expect((await world.previewed()).told).toEqual(await world.told())
  })

  test('a comparison ignores earlier times in which Hydrant was down', async () => {
    const weekMs = 7 * dayMs
    await world.addRule({ ...errors, windowMs: hourMs, compare: 'usual', critical: 3 })
    const now = world.clock.now
    for (let week = 4; week >= 1; week--)
      for (const hour of [-1, 0, 1]) {
        world.clock.now = now + 30 * minuteMs - week * weekMs + hour * hourMs
        // In two of the weeks, nothing could arrive.
        if (week > 2) await send(40)
        else
          await world.control.db
            .insertInto('ingest_pause')
            .values({ began_at: world.clock.now - 30 * minuteMs, ended_at: world.clock.now + 30 * minuteMs })
            .execute()
      }
    world.clock.now = now + 59 * minuteMs
    await send(40)
    await world.pass(1)
    expect(await world.detector()).toMatchObject({ state: 'ok', value: 40 })
  })
})
