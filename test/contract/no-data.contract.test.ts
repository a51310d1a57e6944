/** How a rule with a metric behaves when there is no data. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildMessage } from '#domain/alerts/build-message.ts'
import { closeIncidentsOfDeletedProjects } from '#domain/alerts/close-incidents.ts'
import { isCount } from '#domain/alerts/judge.ts'
import { measureAt } from '#domain/alerts/measure.ts'
import { metricSchema } from '#domain/alerts/metric.ts'
import { metricPresets } from '#domain/alerts/metric-words.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { type Receiver, startReceiver } from '../channels/start-receiver.ts'
import { isLong } from '../long.ts'
import { begin, hourMs, makeMetricWorld, minuteMs } from './metric-world.ts'
import { onPostgres } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'

let store: TelemetryUnderTest
let receiver: Receiver
beforeAll(async () => {
  ;[store, receiver] = await Promise.all([borrowTelemetry(), startReceiver()])
})
afterAll(() => Promise.all([store?.stop(), receiver?.stop()]))

const lcp = 'browser.web_vital.lcp.value'
const slow = { dataset: 'spans', measure: 'p95(span.duration)', windowMs: 5 * minuteMs, critical: 1_000 }

onPostgres(({ isFirst, newAcme }) => {
  let world: Awaited<ReturnType<typeof makeMetricWorld>>
  beforeEach(async () => {
    world = await makeMetricWorld(await newAcme(), store.telemetry)
  })

  test.runIf(isFirst)(
    'rows without what is measured give a count 0 or more, and every other number no value',
    async () => {
      const ofNumbers = ['p50', 'p75', 'p90', 'p95', 'p99', 'p100', 'avg', 'sum', 'min', 'max']
      const measures = [
        ...['count()', 'count_unique(user)', 'count_if(span.op,equals,db)', 'failure_count()', 'epm()', 'eps()'],
        ...['failure_rate()', ...ofNumbers.flatMap(name => [`${name}(${lcp})`, `${name}(span.status_code)`])],
        ...metricPresets.filter(({ dataset }) => dataset === 'spans').map(({ measure }) => measure),
      ]
      const numberOf = async (measure: string, more: object = {}) => {
        const metric = metricSchema.parse({ ...slow, measure, ...more })
        const watched = { metric, projectIds: [world.web], environments: [] }
        return (await measureAt(world.viewer(), watched, begin + minuteMs))?.value
      }
      // Nothing at all.
      for (const measure of measures)
        expect([measure, await numberOf(measure)]).toEqual([measure, isCount({ measure }) ? 0 : null])
      // Spans of a server, which have a duration and nothing else.
      await world.sendSpans([{ durationMs: 100 }, { durationMs: 300, isFailed: true }])
      for (const measure of measures) {
        const isThere = isCount({ measure }) || /failure_rate|span\.duration/.test(measure)
        const value = await numberOf(measure)
        expect([measure, typeof value]).toEqual([measure, isThere ? 'number' : 'object'])
      }
      expect(await numberOf('failure_rate()')).toBe(0.5)
      // One page view among them is all that counts.
      await world.sendSpans([{ lcp: 2_500 }])
      for (const name of ofNumbers) expect([name, await numberOf(`${name}(${lcp})`)]).toEqual([name, 2_500])
    },
  )

  test('rows without the vital neither close an incident nor open one', async () => {
    await world.addRule({ ...slow, measure: `p75(${lcp})`, critical: 2_500 }, 'above')
    await world.addRule({ ...slow, measure: `p75(${lcp})`, critical: 10, direction: 'below' }, 'below')
    await world.sendSpans([{ lcp: 4_000 }, {}])
    await world.pass(8, () => world.sendSpans([{}, {}]))
    expect(await world.told()).toEqual([['incident.opened', 'p75 of LCP is 4 s, above 2.5 s']])
    expect(await world.detector()).toMatchObject({ state: 'no-data', severity: 'critical', value: null })
    expect((await world.previewed(1)).told).toEqual(await world.told())
    expect((await world.previewed(2)).told).toEqual([])
    await world.pass(4)
    expect((await world.told()).at(-1)).toEqual(['incident.closed', 'p75 of LCP has had no data for 10 min'])
  })

  test('few rows with the vital are few, however many rows there are', async () => {
    await world.addRule({ ...slow, measure: `p75(${lcp})`, critical: 2_500, leastRows: 3 })
    await world.sendSpans([{ lcp: 4_000 }, { lcp: 4_000 }, {}, {}, {}])
    await world.pass(2)
    expect(await world.told()).toEqual([])
    await world.sendSpans([{ lcp: 4_000 }])
    await world.pass(14)
    expect(await world.told()).toEqual([
      ['incident.opened', 'p75 of LCP is 4 s, above 2.5 s'],
      ['incident.closed', 'p75 of LCP has had fewer than 3 rows for 10 min'],
    ])
  })

  test('when traffic stops, an incident is resolved after the wait, at a pager too', async () => {
    const numbers = metricPresets.filter(({ measure }) => !isCount({ measure }))
    // Each of them has no value without data, as the first test says.
    const presets = isLong ? numbers : numbers.slice(0, 3)
    for (const { id, dataset, measure } of presets)
      await world.addRule({ dataset, measure, windowMs: 5 * minuteMs, critical: 0.1 }, id)
    const pager = { routingKey: 'a'.repeat(32), url: `${receiver.url}/pager` }
    const channelId = await world.addChannel('pagerduty', pager)
    for (const [index] of presets.entries())
      await world.control.db
        .insertInto('alert_rule_channel')
        .values({ rule_id: index + 1, channel_id: channelId })
        .execute()
    const measurements = { lcp: { value: 4_000 }, inp: { value: 900 }, cls: { value: 0.9 } }
    await world.sendSpans([{ measurements, isFailed: true }])
    const deliver = () =>
      world.worker('node', row => buildMessage(world.options.stores, 'https://h.test', row, world.clock.now)).run()
    receiver.received.length = 0
    await world.pass(1)
    await deliver()
    const incidents = () => world.control.db.selectFrom('incident').selectAll().orderBy('id').execute()
    expect((await incidents()).map(({ name, closed_at }) => [name, closed_at])).toEqual(
      presets.map(({ id }) => [id, null]),
    )
    await world.pass(8)
    expect((await incidents()).every(({ closed_at }) => closed_at === null)).toBe(true)
    await world.pass(3)
    // The first minute had data, the ten after it had none.
    expect((await incidents()).map(({ closed_at }) => closed_at)).toEqual(presets.map(() => begin + 11 * minuteMs))
    const updates = await world.control.db
      .selectFrom('incident_update')
      .selectAll()
      .where('kind', '=', 'closed')
      .execute()
    expect(updates.map(({ reason }) => reason)).toEqual(
      presets.map(({ label }) => `${label} has had no data for 10 min`),
    )
    await deliver()
    const paged = receiver.received.map(({ body }) => JSON.parse(body) as { event_action: string; dedup_key: string })
    const open = new Set(paged.filter(each => each.event_action === 'trigger').map(each => each.dedup_key))
    for (const each of paged) if (each.event_action === 'resolve') open.delete(each.dedup_key)
    expect([paged.length, open.size]).toEqual([2 * presets.length, 0])
    await world.pass(2)
    expect(await incidents()).toHaveLength(presets.length)
    expect((await world.previewed(1)).told).toEqual(await toldOf(1))
  })

  const toldOf = async (ruleId: number) => {
    const updates = await world.control.db
      .selectFrom('incident_update')
      .innerJoin('incident', 'incident.id', 'incident_update.incident_id')
      .select(['kind', 'incident_update.reason'])
      .where('rule_id', '=', ruleId)
      .orderBy('incident_update.id')
      .execute()
    return updates.map(({ kind, reason }) => [`incident.${kind}`, reason])
  }

  test('missing data can alert, and says when there is data again', async () => {
    await world.addRule({ ...slow, noData: 'alert' })
    await world.sendSpans([{}])
    await world.pass(9)
    expect(await world.told()).toEqual([])
    await world.pass(2)
    const name = 'p95 of the duration'
    const opened = [['incident.opened', `${name} has had no data for 10 min`]]
    expect(await world.told()).toEqual(opened)
    expect(await world.detector()).toMatchObject({ state: 'no-data', severity: 'critical', cause: 'no-data' })
    // The gap continues, but it is reported only once.
    await world.pass(5)
    expect(await world.told()).toEqual(opened)
    await world.pass(1, () => world.sendSpans([{ durationMs: 3_000 }]))
    await world.pass(6, () => world.sendSpans([{ durationMs: 200 }]))
    expect((await world.told()).slice(1)).toEqual([
      ['incident.worsened', `${name} is 3 s, above 1 s`],
      ['incident.closed', `${name} is back to 200 ms`],
    ])
    await world.pass(16)
    await world.pass(1, () => world.sendSpans([{ durationMs: 200 }]))
    expect((await world.told()).slice(3)).toEqual([
      ['incident.opened', `${name} has had no data for 10 min`],
      ['incident.closed', `${name} has data again: 200 ms`],
    ])
    // The rule did not exist yet in the silence before.
    const first = ['incident.closed', `${name} has data again: 100 ms`]
    expect((await world.previewed()).told).toEqual([first, ...(await world.told())])
  })

  test('the rule of a deleted project says nothing until the project is restored', async () => {
    await world.addRule({ ...slow, noData: 'alert' })
    await world.addRule({ ...slow, noData: 'alert' }, 'of all projects', {}, null)
    await world.sendSpans([{}])
    await world.pass(11)
    const incidents = () =>
      world.control.db.selectFrom('incident').select(['name', 'closed_at']).orderBy('id').execute()
    expect(await incidents()).toMatchObject([{ closed_at: null }, { closed_at: null }])
    // All projects, so that the other rule has nothing to measure either.
    const setDeleted = (deleted_at: number | null) =>
      world.control.db.updateTable('project').set({ deleted_at }).execute()
    await setDeleted(world.clock.now)
    const end = () => closeIncidentsOfDeletedProjects(world.control, { enqueue, nowMs: world.clock.now })
    await end()
    const told = await world.told()
    await world.pass(12, end)
    expect(await world.told()).toEqual(told)
    expect((await incidents()).map(({ closed_at }) => closed_at !== null)).toEqual([true, true])
    await setDeleted(null)
    await world.pass(12, end)
    expect((await world.told()).slice(told.length)).toEqual([
      ['incident.opened', 'p95 of the duration has had no data for 10 min'],
      ['incident.opened', 'p95 of the duration has had no data for 10 min'],
    ])
  })

  test('missing data can leave the state as it is', async () => {
    await world.addRule({ ...slow, noData: 'keep' })
    await world.sendSpans([{ durationMs: 3_000 }])
    await world.pass(14)
    expect(await world.told()).toEqual([['incident.opened', 'p95 of the duration is 3 s, above 1 s']])
    expect(await world.detector()).toMatchObject({ state: 'no-data', severity: 'critical' })
    expect((await world.previewed()).told).toEqual(await world.told())
  })

  test('the wait is as long as the window, ten minutes at least, or what the rule says', async () => {
    await world.addRule({ ...slow, windowMs: 20 * minuteMs }, 'long')
    await world.addRule({ ...slow, noDataAfterMs: 15 * minuteMs }, 'chosen')
    await world.addRule({ ...slow, windowMs: minuteMs }, 'minute')
    await world.sendSpans([{ durationMs: 3_000 }])
    await world.pass(22)
    const closed = await world.control.db.selectFrom('incident').select(['name', 'closed_at']).orderBy('id').execute()
    expect(closed.map(({ name, closed_at }) => [name, ((closed_at ?? 0) - begin) / minuteMs])).toEqual([
      ['long', 21],
      ['chosen', 16],
      ['minute', 11],
    ])
  })

  test('silence counts as no data only for as long as it was judged', async () => {
    await world.addRule(slow)
    await world.sendSpans([{ durationMs: 3_000 }])
    await world.pass(6)
    // The jobs stand still for half an hour, in which requests arrive.
    world.clock.now += 20 * minuteMs
    await world.sendSpans([{ durationMs: 3_000 }])
    world.clock.now += 10 * minuteMs
    await world.control.db.updateTable('node_clock').set({ reported_at: world.clock.now }).execute()
    await world.judge()
    expect(await world.told()).toHaveLength(1)
    await world.pass(5)
    expect((await world.told()).slice(1)).toEqual([
      ['incident.closed', 'p95 of the duration has had no data for 10 min'],
    ])
  })

  test('a query that can no longer be run says nothing about the data', async () => {
    await world.addRule(slow)
    await world.sendSpans([{ durationMs: 3_000 }])
    await world.pass(1)
    const config = JSON.stringify({ metric: { ...slow, query: 'span.nothing:1' } })
    await world.control.db.updateTable('alert_rule').set({ config }).execute()
    await world.pass(12)
    expect(await world.told()).toHaveLength(1)
    expect(await world.detector()).toMatchObject({ state: 'unknown', gap: 'failed', severity: 'critical' })
  })

  test('with nothing to compare with any more, an incident is resolved', async () => {
    await world.addRule({ ...slow, compare: 'previous-release', critical: 50 })
    const versions = ['web@1.0.0', 'web@2.0.0', 'web@3.0.0']
    for (const [index, release] of versions.entries()) {
      world.clock.now = begin + index * minuteMs
      await world.sendErrors([{ type: 'TypeError', release }])
    }
    await world.control.db
      .updateTable('project_release')
      .set({ first_seen: begin + hourMs })
      .where('version', '=', 'web@3.0.0')
      .execute()
    world.clock.now = begin
    const spanOf = (release: string, durationMs: number) => world.sendSpans([{ durationMs, release }])
    await spanOf('web@1.0.0', 100)
    await world.pass(1)
    await world.pass(10, () => spanOf('web@2.0.0', 900))
    expect(await world.told()).toEqual([
      ['incident.opened', 'p95 of the duration is 900 ms, above 150 ms, by the previous release'],
    ])
    // The third release follows before the second has been measured for a week; its own spans have no release before them.
    await world.control.db.deleteFrom('project_release').where('version', '=', 'web@1.0.0').execute()
    await world.pass(12, () => spanOf('web@2.0.0', 900))
    expect((await world.told()).slice(1)).toEqual([
      ['incident.closed', 'p95 of the duration has had nothing to compare with for 10 min'],
    ])
  })

  test('the time without data begins again when the rule is changed', async () => {
    const ruleId = await world.addRule({ ...slow, noData: 'keep' })
    await world.pass(12)
    await saveRule(world.context, {
      ...{ organizationId: 1, ruleId, name: 'checkout', projectId: world.web, isOn: true, channelIds: [1] },
      ...{ ownerUserId: null, config: ruleConfig.parse({ metric: { ...slow, query: 'op:db', noData: 'alert' } }) },
    })
    await world.pass(10)
    expect(await world.told()).toEqual([['incident.opened', 'p95 of the duration of op:db has had no data for 10 min']])
  })

  test('an older rule without these settings resolves', async () => {
    const { noData, noDataAfterMs, ...old } = metricSchema.parse(slow)
    await saveRule(world.context, {
      ...{ organizationId: 1, ruleId: null, name: 'old', projectId: world.web, isOn: true, channelIds: [1] },
      ...{ ownerUserId: null, config: { when: [], counts: [], filter: '', environments: [], metric: old } as never },
    })
    await world.sendSpans([{ durationMs: 3_000 }])
    await world.pass(12)
    expect((await world.told()).map(([type]) => type)).toEqual(['incident.opened', 'incident.closed'])
    expect([noData, noDataAfterMs]).toEqual(['resolve', null])
  })
})
