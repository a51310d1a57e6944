/** How often a rule speaks: intervals, bursts and quiet hours. A preview tells the same. */
import { beforeEach, expect, test } from 'vitest'
import { hasAlertWork } from '#domain/alerts/alert-on-changes.ts'
import { listNotifications } from '#domain/alerts/notifications.ts'
import { judgeOperator } from '#domain/alerts/operator.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import { type AlertWorld, contentOf, makeAlertWorld, previewLanes } from './alert-world.ts'
import { onPostgres } from './on-each-engine.ts'
import { startedAt } from './workflow-world.ts'

const minuteMs = 60_000

onPostgres(({ newAcme }) => {
  let alerts: AlertWorld

  beforeEach(async () => {
    alerts = await makeAlertWorld(await newAcme())
  })

  /** The preview of the rule tells exactly what it has sent. */
  async function expectPreviewed(): Promise<void> {
    const { world, viewer, sent } = alerts
    const [previewed] = await previewLanes(viewer(), world.control.db)
    expect(previewed).toEqual((await sent()).map(({ message }) => contentOf(message)))
  }

  test('at most one message of a type per issue and interval', async () => {
    const { world, addRule, sent, send, run, issueId } = alerts
    await addRule({ atMostEveryMs: 30 * minuteMs, when: ['regression'] })
    await send({ type: 'TypeError', release: 'web@1.0.0' })
    const id = await issueId('TypeError')
    for (const release of ['web@2.0.0', 'web@3.0.0', 'web@4.0.0']) {
      world.clock.now += 10 * minuteMs
      await resolveIssues(world.context, { scope: [world.web], issueIds: [id], how: { kind: 'now' } })
      world.clock.now += 5 * minuteMs
      await send({ type: 'TypeError', release })
      await run()
    }
    // After 15, 30 and 45 minutes.
    expect((await sent()).map(({ message }) => message?.reason.slice(0, 24))).toEqual([
      'seen again in web@2.0.0,',
      'seen again in web@4.0.0,',
    ])
    await expectPreviewed()
  })

  test('a flood of 500 new issues is one message at once and one summary', async () => {
    const { world, options, addRule, sent, types, send, run, viewer } = alerts
    await addRule()
    for (let start = 0; start < 500; start += 100)
      await send(...Array.from({ length: 100 }, (_, index) => `Error${start + index}`))
    await run()
    expect(await types()).toEqual(['issue.new'])
    world.clock.now += minuteMs
    await run()
    const messages = (await sent()).map(({ message }) => message)
    expect(messages.map(message => message?.type)).toEqual(['issue.new', 'summary'])
    const summary = messages[1]
    expect(summary?.kind === 'summary' && [summary.items.length, summary.more]).toEqual([20, 479])
    const [newest] = await listNotifications(viewer())
    expect(newest).toMatchObject({ more: 479, projectSlug: 'web', rest: ['479 more new issues'] })
    expect(newest?.title).toMatch(/^New: Error\d+: Error\d+ happened, and 498 more new issues$/)
    // Then it is quiet, and the next one is told at once again.
    world.clock.now += minuteMs
    await run()
    expect(await hasAlertWork(options)).toBe(false)
    await send('Later')
    await run()
    expect(await types()).toEqual(['issue.new', 'summary', 'issue.new'])
    await expectPreviewed()
  })

  test('quiet hours hold messages back, and their end sends them as one', async () => {
    const { world, addRule, types, send, run } = alerts
    const zone = 'UTC'
    const clock = (at: number) => new Date(at).toISOString().slice(11, 16)
    await addRule({ quiet: { from: clock(startedAt - minuteMs), to: clock(startedAt + 60 * minuteMs), zone } })
    await send('TypeError', 'RangeError')
    await run()
    world.clock.now += 30 * minuteMs
    await run()
    expect(await types()).toEqual([])
    world.clock.now += 31 * minuteMs
    await run()
    expect(await types()).toEqual(['summary'])
    await expectPreviewed()
  })

  test('in quiet hours only what is critical goes out, and what closes', async () => {
    const { world, options, addRule, types } = alerts
    await addRule({ when: ['incident'], quiet: { from: '00:00', to: '23:59', zone: 'UTC' } })
    await world.control.db.updateTable('project').set({ is_internal: 1 }).where('id', '=', world.web).execute()
    for (const diskFree of [0.08, 0.04, 0.5]) {
      await judgeOperator(options, { diskFree, backlogSeconds: 0, isEngineUp: true })
      world.clock.now += minuteMs
    }
    expect(await types()).toEqual(['incident.worsened', 'incident.closed'])
    // What is held until the hours end is previewed, too.
    const [previewed] = await previewLanes(alerts.viewer(), world.control.db)
    expect(previewed?.map(({ type }) => type)).toEqual(['incident.worsened', 'incident.closed', 'incident.opened'])
  })
})
