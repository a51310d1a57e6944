/** A clock that was a day ahead for 15 seconds, and one that was a day behind: nothing waits for a day, and nothing is sent twice. */
import { beforeEach, describe, expect, test } from 'vitest'
import { evaluateMinutes } from '#domain/alerts/evaluate-minute.ts'
import { readMinuteClock, reportClock } from '#domain/alerts/minute-clock.ts'
import { judgeOperator } from '#domain/alerts/operator.ts'
import { readPauses } from '#domain/alerts/pauses.ts'
import { watchChannels } from '#domain/alerts/watch-channels.ts'
import { leaseMs, maxInWindow } from '#domain/channels/delivery/candidate-channels.ts'
import { giveUpAfterMs, longestAskedMs } from '#domain/channels/delivery/retry-delay.ts'
import { createMessageId, enqueue } from '#domain/channels/enqueue.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { holdLease } from '#jobs/job-lease.ts'
import { createJobRunner } from '#jobs/run-jobs.ts'
import { clockSkewMs, correctDueTimes, schedules } from '#store/control/due-times.ts'
import { beginTrustedClock } from '#store/control/trust-clock.ts'
import { makeDeliveryWorld } from '../channels/delivery-world.ts'
import { startReceiver } from '../channels/start-receiver.ts'
import { type AlertWorld, makeAlertWorld } from './alert-world.ts'
import { onPostgres, silentLog } from './on-each-engine.ts'
import { startedAt } from './workflow-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const wrongFor = 15_000
const wrongBy = { 'a day ahead': dayMs, 'two days ahead': 2 * dayMs, 'a day behind': -dayMs } as const

/** Times that nothing waits for. A new column of these tables belongs here or into `schedules`. */
const others: Record<string, string> = {
  'outbox.leased_until': 'a lease, compared where it is taken',
  'job.leased_until': 'a lease, compared where it is taken',
  'job_lease.held_until': 'a lease, compared where it is taken',
  'outbox.sent_at': 'within a window',
  'alert_sent.sent_at': 'within a window',
  'node_clock.reported_at': 'within a window',
  'node_clock.digested_until': 'rewritten by each report',
  'node_clock.blind_until': 'rewritten by a report after the clock was set back',
  'node_clock.stopped_at': 'only whether it is set',
  'channel.gone_at': 'compared with the trusted time',
  'channel.retired_at': 'only whether it is set',
  'channel.state_at': 'within a window',
  'alert_rule.snoozed_until': 'chosen by a member, and shown',
  'alert_burst.set_at': 'tells when `until` was set',
  ...Object.fromEntries(
    [
      'outbox.created_at',
      'channel.created_at',
      'delivery.at',
      'alert_rule.created_at',
      'alert_rule.updated_at',
      'alert_rule_day.last_at',
      'alert_held.held_at',
      'notification.at',
      'notification.read_at',
      'detector.since',
      'incident.opened_at',
      'incident.closed_at',
      'incident.acknowledged_at',
      'incident_update.at',
      'job.created_at',
    ].map(column => [column, 'shown']),
  ),
}
const tables =
  /^(outbox|channel|delivery|alert_.*|notification|detector|incident|incident_update|job|job_lease|node_clock)$/

onPostgres(({ newAcme, newControl }) => {
  test('every time in the tables of alerts, channels and jobs is a schedule, or compared otherwise', async () => {
    const control = await newControl()
    const found = (await control.db.introspection.getTables())
      .filter(({ name }) => tables.test(name))
      .flatMap(({ name, columns }) => columns.map(column => `${name}.${column.name}`))
      .filter(name => /\.(at|since|until|.*_(at|until|before))$/.test(name))
    const known = [...schedules.map(({ table, column }) => `${table}.${column}`), ...Object.keys(others)]
    expect(found.toSorted()).toEqual(known.filter(name => !name.startsWith('maintenance_state')).toSorted())
  })

  test('every schedule that was set a day too late is due, and one that may be so late is left alone', async () => {
    const { world, channelId } = await makeAlertWorld(await newAcme())
    const { db } = world.control
    const now = startedAt
    await db.updateTable('project').set({ is_internal: 1 }).where('id', '=', world.web).execute()
    const rows = async (by: number): Promise<void> => {
      await db.deleteFrom('outbox').execute()
      const message = { key: 'k', message: '{}', organization_id: 1, channel_id: channelId, created_at: now }
      await db
        .insertInto('outbox')
        .values({ id: 'm', ...message, not_before: now + by + longestAskedMs, first_attempt_at: now + by })
        .execute()
      await db
        .updateTable('channel')
        .set({ state: 'failing', retry_at: now + by + hourMs })
        .execute()
      await db.deleteFrom('alert_burst').execute()
      await db
        .insertInto('alert_burst')
        .values({ target: 'rule:1', until: now + by + dayMs, set_at: now + by })
        .execute()
      await db.deleteFrom('job').execute()
      const job = { name: 'j', payload: '{}', every_ms: dayMs, created_at: now }
      await db
        .insertInto('job')
        .values({ ...job, key: 'j', run_at: now + by + dayMs })
        .execute()
      await db.deleteFrom('detector').execute()
      const detector = { organization_id: 1, project_id: null, rule_id: null, name: 'd', since: now, value: null }
      await db
        .insertInto('detector')
        .values({ ...detector, key: 'd', judged_at: now + by })
        .execute()
      await db.deleteFrom('maintenance_state').where('name', 'like', 'alerts_minute%').execute()
      await db
        .insertInto('maintenance_state')
        .values({ name: 'alerts_minute:1', value: now + by })
        .execute()
    }
    const read = async () =>
      Promise.all(
        schedules.map(async ({ table, column }) => {
          const row = await db
            .selectFrom(table)
            .selectAll()
            .$if(table === 'maintenance_state', query => query.where('name' as never, '=', 'alerts_minute:1' as never))
            .executeTakeFirstOrThrow()
          return Number((row as Record<string, unknown>)[column])
        }),
      )
    await rows(0)
    const before = await read()
    expect(await correctDueTimes(world.control, now)).toBe(0)
    expect(await read()).toEqual(before)
    await rows(dayMs)
    expect(await correctDueTimes(world.control, now)).toBe(schedules.length)
    for (const [index, at] of (await read()).entries())
      expect([schedules[index]?.column, at <= now]).toEqual([schedules[index]?.column, true])
    expect(await correctDueTimes(world.control, now)).toBe(0)
    // A channel that is off is tried once a day.
    await db
      .updateTable('channel')
      .set({ state: 'disabled', retry_at: now + dayMs })
      .execute()
    expect(await correctDueTimes(world.control, now)).toBe(0)
    await db
      .updateTable('channel')
      .set({ retry_at: now + 2 * dayMs })
      .execute()
    expect(await correctDueTimes(world.control, now)).toBe(1)
  })

  describe.each(Object.entries(wrongBy))('a clock that is %s for 15 seconds', (_, by) => {
    let alerts: AlertWorld
    beforeEach(async () => {
      alerts = await makeAlertWorld(await newAcme())
      await beginTrustedClock(alerts.world.control, startedAt)
    })

    async function whileWrong(work: () => Promise<unknown>): Promise<void> {
      const { clock } = alerts.world
      clock.now += by
      await work()
      clock.now += wrongFor
      await work()
      clock.now -= by
    }
    const correct = () => correctDueTimes(alerts.world.control, alerts.world.clock.now)

    test('every new issue is reported once, whether it appears before, during or after', async () => {
      const { world, addRule, send, run, sent } = alerts
      await addRule()
      await send('Before1', 'Before2')
      await run()
      let count = 0
      await whileWrong(async () => {
        count += 1
        await send(`Meanwhile${count}A`, `Meanwhile${count}B`)
        await run()
      })
      await send('After1')
      for (let minutes = 0; minutes < 4; minutes++) {
        await correct()
        await run()
        world.clock.now += minuteMs
      }
      await send('After2')
      for (let minutes = 0; minutes < 4; minutes++) {
        await run()
        world.clock.now += minuteMs
      }
      const told = (await sent()).flatMap(({ message }) => {
        if (message?.kind === 'summary') return message.items.map(item => (item.kind === 'issue' ? item.issueId : 0))
        return message?.kind === 'issue' ? [message.issueId, ...(message.others ?? []).map(each => each.issueId)] : []
      })
      const issues = await world.control.db.selectFrom('issue').select('id').execute()
      expect(told.toSorted()).toEqual(issues.map(({ id }) => id).toSorted())
      expect(await world.control.db.selectFrom('alert_held').select('id').execute()).toEqual([])
    })

    test('a rule is not silent for longer than its interval', async () => {
      const { world, addRule, send, run, types, issueId } = alerts
      await addRule({ atMostEveryMs: 30 * minuteMs, when: ['regression'] })
      await send({ type: 'TypeError', release: 'web@1.0.0' })
      const id = await issueId('TypeError')
      let release = 1
      const regress = async () => {
        await resolveIssues(world.context, { scope: [world.web], issueIds: [id], how: { kind: 'now' } })
        release += 1
        world.clock.now += 5 * minuteMs
        await send({ type: 'TypeError', release: `web@${release}.0.0` })
        await run()
      }
      await whileWrong(async () => run())
      world.clock.now += by
      await regress()
      world.clock.now -= by
      await correct()
      expect(await types()).toEqual(['issue.regressed'])
      world.clock.now += 31 * minuteMs
      await regress()
      world.clock.now += 2 * minuteMs
      await run()
      expect(await types()).toEqual(['issue.regressed', 'issue.regressed'])
    })

    test('minutes are judged, and the node is blind for no longer', async () => {
      const { world, options, addRule } = alerts
      await addRule()
      const report = () => reportClock(world.control, 'inbox', world.clock.now, world.clock.now)
      await report()
      world.clock.now += 5_000
      await report()
      await evaluateMinutes(options)
      await whileWrong(async () => {
        await report()
        await evaluateMinutes(options)
      })
      await report()
      await correct()
      expect(await readMinuteClock(world.control, world.clock.now)).not.toBeNull()
      const pauses = await readPauses(world.control, 0, world.clock.now)
      expect(pauses.filter(({ until }) => until > world.clock.now)).toEqual([])
      world.clock.now += 2 * minuteMs
      await report()
      expect(await evaluateMinutes(options)).toBeGreaterThan(0)
    })

    test('jobs run by their schedule, and leases end', async () => {
      const { world } = alerts
      const { control, clock } = world
      let runs = 0
      const handlers = { tick: { everyMs: 10_000, run: async () => void (runs += 1) } }
      const runner = createJobRunner({ control, handlers, log: silentLog, now: () => clock.now })
      await runner.runDue()
      await whileWrong(async () => {
        await runner.runDue()
        await holdLease(control.db, { name: 'x', holder: 'gone' }, clock.now)
      })
      const before = runs
      await correct()
      clock.now += 2 * minuteMs
      await runner.runDue()
      expect(runs).toBe(before + 1)
      expect(await holdLease(control.db, { name: 'x', holder: 'next' }, clock.now)).toBe(true)
    })

    test('the operator is notified, and failing channels are still detected', async () => {
      const { world, options, addRule, types } = alerts
      await addRule({ when: ['incident'] })
      const { db } = world.control
      await db.updateTable('project').set({ is_internal: 1 }).where('id', '=', world.web).execute()
      const judgeWith = (diskFree: number) => judgeOperator(options, { diskFree, backlogSeconds: 0, isEngineUp: true })
      await judgeWith(0.5)
      await whileWrong(() => judgeWith(0.5))
      await correct()
      world.clock.now += minuteMs
      await judgeWith(0.04)
      expect(await types()).toEqual(['incident.opened'])
      await db
        .updateTable('channel')
        .set({ state: 'failing', state_at: world.clock.now + by })
        .execute()
      await watchChannels({ db, enqueue, now: () => world.clock.now, hasMail: false })
      const { severity } = await db
        .selectFrom('detector')
        .select('severity')
        .where('key', '=', 'channels:failing:1')
        .executeTakeFirstOrThrow()
      expect(severity).toBe('warning')
    })

    test('what was sent meanwhile does not fill a channel, and what failed is tried again, for 33 hours', async () => {
      const receiver = await startReceiver()
      try {
        const world = await makeDeliveryWorld(await newAcme())
        const { clock } = world
        await beginTrustedClock(world.control, clock.now)
        const hook = await world.addChannel('webhook', { url: receiver.url }, 'hook')
        const slow = await world.addChannel('webhook', { url: `${receiver.url}/down` }, 'down')
        receiver.answerOf = ({ url }) => (url === '/down' ? { status: 500 } : null)
        const [failing] = await world.enqueueAll([{ channelId: slow, key: 'failing' }])
        await world.worker('a').run()
        clock.now += by
        await world.enqueueAll(
          Array.from({ length: maxInWindow }, (_, index) => ({ channelId: hook, key: `meanwhile/${index}` })),
        )
        for (let seconds = 0; seconds < 15; seconds++) {
          clock.now += 1_000
          await world.worker('a').run()
        }
        // A worker is killed after it claims a message.
        const [held] = await world.enqueueAll([{ channelId: hook, key: 'held' }])
        await world.worker('killed').claim()
        clock.now -= by
        await correctDueTimes(world.control, clock.now)
        expect(await world.row(failing)).toMatchObject({ state: 'queued' })
        const after = await world.enqueueAll([1, 2, 3].map(each => ({ channelId: hook, key: `after/${each}` })))
        clock.now += leaseMs
        await world.worker('a').run()
        for (const id of [held, ...after]) expect(await world.row(id)).toMatchObject({ state: 'sent' })
        receiver.answerOf = null
        clock.now += 15 * minuteMs + clockSkewMs
        await world.worker('a').run()
        expect(await world.row(failing)).toMatchObject({ state: 'sent' })
        const ids = receiver.received.filter(({ url }) => url !== '/down').map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(giveUpAfterMs).toBe(33 * hourMs)
      } finally {
        await receiver.stop()
      }
    })
  })

  test('ids of messages keep their order when the clock is set back, and when thousands are made in a moment', () => {
    const begin = Date.now() + 40 * dayMs
    const ids = [begin, begin - dayMs, ...Array.from({ length: 10_000 }, () => begin - 2 * dayMs)].map(createMessageId)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })
})
