/** Counts of issues and metrics, judged by the minute on real telemetry: incidents open once and close once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { flushDueBursts } from '#domain/alerts/alert-on-changes.ts'
import { buildMessage } from '#domain/alerts/build-message.ts'
import { evaluateMinutes, type MinuteOptions } from '#domain/alerts/evaluate-minute.ts'
import { metricPresets } from '#domain/alerts/metric-words.ts'
import { readMinuteClock, reportClock } from '#domain/alerts/minute-clock.ts'
import { previewRule } from '#domain/alerts/preview-rule.ts'
import { readRules } from '#domain/alerts/read-rules.ts'
import { type RuleConfig, ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { readStoredMessage } from '#domain/alerts/stored-message.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { archiveIssues } from '#domain/issues/commands/archive-issues.ts'
import { reopenIssues } from '#domain/issues/commands/resolve-issues.ts'
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { type DeliveryWorld, makeDeliveryWorld } from '../channels/delivery-world.ts'
import { type Receiver, startReceiver } from '../channels/start-receiver.ts'
import { createRandom } from '../fuzz/random.ts'
import { makeLog } from '../make-log.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { viewAs } from '../view-as.ts'
import { contentOf, previewLanes } from './alert-world.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { onPostgres } from './on-each-engine.ts'
import { borrowTelemetry, emptyTables, type TelemetryUnderTest } from './start-telemetry.ts'
import { startedAt } from './workflow-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A whole minute. */
const begin = Math.ceil(startedAt / minuteMs) * minuteMs

let store: TelemetryUnderTest
let receiver: Receiver
beforeAll(async () => {
  ;[store, receiver] = await Promise.all([borrowTelemetry(), startReceiver()])
})
afterAll(() => Promise.all([store?.stop(), receiver?.stop()]))

onPostgres(({ isFirst, newAcme }) => {
  let world: DeliveryWorld
  let options: MinuteOptions
  let batches = 0

  beforeEach(async () => {
    await emptyTables(store.telemetry)
    world = await makeDeliveryWorld(await newAcme())
    world.clock.now = begin
    options = {
      stores: { control: world.control, telemetry: store.telemetry },
      enqueue,
      now: () => world.clock.now,
    }
    await world.control.db
      .insertInto('channel')
      .values({
        ...{ organization_id: 1, project_id: null, name: 'hook', kind: 'webhook', config: '{}' },
        ...{ state_at: begin, owner_user_id: null, created_at: begin },
      })
      .execute()
    // The node has been up for two days.
    await reportClock(world.control, 'inbox', begin, begin - 48 * hourMs)
    await world.control.db.updateTable('node_clock').set({ reported_at: begin }).execute()
  })

  async function addRule({ name = 'checkout', ...config }: Partial<RuleConfig> & { name?: string }): Promise<void> {
    const saved = await saveRule(world.context, {
      ...{ organizationId: 1, ruleId: null, name, projectId: world.web, isOn: true },
      ...{ channelIds: [1], ownerUserId: null, config: ruleConfig.parse(config) },
    })
    if (!saved.ok) throw new Error(saved.code)
  }

  const send = (count: number, type = 'TypeError', release?: string): Promise<void> =>
    sendAll(Array.from({ length: count }, (_, index) => ({ type, user: `u${index}`, ...(release ? { release } : {}) })))

  async function sendAll(errors: SentError[]): Promise<void> {
    const { rows } = await digestEvents(world, errors)
    batches += 1
    await writeEvents(store.telemetry, {
      ...{ rows: rows.events, batchId: `batch-${batches}`, mayHaveArrived: false, isSuspect: false },
    })
  }

  const insert = async (table: 'spans' | 'logs', rows: readonly object[]) =>
    store.telemetry.insert({
      table,
      columns: insertColumns(table),
      body: encodeRows(table, rows as never, `batch-${++batches}`),
      token: `batch-${batches}/${table}`,
    })

  /** Time passes, and the node has digested everything. */
  async function pass(minutes: number, lateMs = 0): Promise<number> {
    let judged = 0
    for (let minute = 0; minute < minutes; minute++) {
      const end = world.clock.now + minuteMs
      world.clock.now = end + lateMs
      // The reports between two minutes.
      await world.control.db.updateTable('node_clock').set({ reported_at: world.clock.now }).execute()
      await reportClock(world.control, 'inbox', world.clock.now, world.clock.now)
      judged += await evaluateMinutes(options)
      await flushDueBursts(options)
      world.clock.now = end
    }
    return judged
  }
  const sent = async () => {
    const rows = await world.control.db.selectFrom('outbox').select('message').orderBy('id').execute()
    return rows.map(row => readStoredMessage(row.message))
  }
  const told = async () => (await sent()).map(message => [message?.type, message?.reason])
  const metric = {
    ...{ dataset: 'errors', measure: 'count()', query: '', windowMs: 5 * minuteMs },
    ...{ direction: 'above', critical: 10, warning: 5, resolved: 1 },
  }

  test('an issue with more events than a rule allows in a window is told once per window', async () => {
    await addRule({
      counts: [{ of: 'events', above: 5, percentMore: null, withinMs: 5 * minuteMs }],
      atMostEveryMs: 0,
    })
    await send(6)
    await send(5, 'RangeError')
    await pass(3)
    expect(await told()).toEqual([['issue.frequent', '6 events in 5 minutes']])
    await pass(4)
    expect(await told()).toHaveLength(1)
  })

  test('a rule counts nothing from before it was created', async () => {
    const count = { of: 'events' as const, above: 5, percentMore: null, withinMs: 5 * minuteMs }
    await addRule({ counts: [count], name: 'older' })
    await send(4)
    await pass(1)
    await addRule({ counts: [count], name: 'newer' })
    await addRule({ counts: [{ ...count, percentMore: 10 }], name: 'compared' })
    await send(2)
    const namesOf = async () => (await sent()).map(message => message?.kind === 'issue' && message.ruleId)
    await pass(1)
    expect(await namesOf()).toEqual([1])
    await send(4)
    await pass(1)
    expect(await namesOf()).toEqual([1, 2, 3])
  })

  test('users count once, and a percentage compares with the window before', async () => {
    await addRule({ counts: [{ of: 'users', above: 2, percentMore: 100, withinMs: 5 * minuteMs }] })
    await send(4)
    await pass(5)
    expect(await told()).toEqual([['issue.frequent', '4 users in 5 minutes, 0 in the one before']])
    world.clock.now += hourMs
    await send(5)
    await pass(5)
    await send(7)
    await pass(3)
    // 7 is not twice 5; the 5 after an hour of silence were new.
    expect((await told()).map(([, reason]) => reason)).toEqual([
      '4 users in 5 minutes, 0 in the one before',
      '5 users in 5 minutes, 0 in the one before',
    ])
  })

  test('a preview shows the messages that the job has sent', async () => {
    const minutes = 20
    const types = ['TypeError', 'RangeError', 'SyntaxError', 'URIError', 'OtherError', 'EvalError']
    await addRule({
      counts: [
        { of: 'users', above: 2, percentMore: 20, withinMs: 3 * minuteMs },
        { of: 'events', above: 5, percentMore: null, withinMs: 5 * minuteMs },
      ],
      atMostEveryMs: 6 * minuteMs,
    })
    const random = createRandom(15)
    // Some happened long before they arrived, and some belong to an import. All are stored at once: the job reads up to its minute.
    const errors = Array.from({ length: minutes * types.length }, (_, index): SentError[] => {
      const receivedAt = begin + Math.floor(index / types.length) * minuteMs + random.int(minuteMs)
      const at = receivedAt - random.pick([0, 0, 0, 5 * hourMs, 30 * hourMs])
      const type = types[index % types.length] ?? ''
      const count = index < types.length ? 4 : random.chance(0.4) ? 1 + random.int(5) : 0
      return Array.from({ length: count }, (_, user) => ({ type, receivedAt, at, user: `u${user}` }))
    })
    await sendAll(errors.flat())
    const { db } = world.control
    const issueOf = async (type: string) =>
      (await db.selectFrom('issue').select('id').where('title', 'like', `${type}%`).executeTakeFirstOrThrow()).id
    await db
      .updateTable('issue_hash')
      .set({ issue_id: await issueOf('TypeError') })
      .where('issue_id', '=', await issueOf('EvalError'))
      .execute()
    const target = { scope: [world.web], issueIds: [await issueOf('RangeError')] }
    for (let minute = 0; minute < minutes; minute++) {
      world.clock.now += 30_000
      if (minute === 6) await archiveIssues(world.context, { ...target, until: { kind: 'forever' } })
      if (minute === 13) await reopenIssues(world.context, target)
      world.clock.now -= 30_000
      // The job is late by some seconds, and by others each time.
      await pass(1, random.int(20_000))
    }
    await pass(3)
    const messages = (await sent()).map(contentOf)
    const viewer = viewAs(options.stores, {
      projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
      now: world.clock.now,
    })
    expect(await previewLanes(viewer, world.control.db)).toEqual([messages])
    const reasons = JSON.stringify(await sent())
    expect(reasons).toMatch(/events in 5 minutes/)
    expect(reasons).toMatch(/users in 3 minutes, [1-9]\d* in the one before/)
    expect(messages.map(({ kind }) => kind)).toContain('summary')
  })

  test('an incident opens, worsens and closes, once each, and at a pager too', async () => {
    await addRule({ metric } as never)
    const pager = { routingKey: 'a'.repeat(32), url: `${receiver.url}/pager` }
    await world.control.db
      .insertInto('alert_rule_channel')
      .values({ rule_id: 1, channel_id: await world.addChannel('pagerduty', pager) })
      .execute()
    // Only the pager: what it has not been told when the incident closes is not told any more.
    await world.control.db.deleteFrom('alert_rule_channel').where('channel_id', '=', 1).execute()
    const deliver = () =>
      world.worker('node', row => buildMessage(options.stores, 'https://h.test', row, world.clock.now)).run()
    receiver.received.length = 0
    await pass(1)
    await send(7)
    await pass(2)
    await deliver()
    await send(7)
    for (let minute = 0; minute < 10; minute++) {
      await pass(1)
      await deliver()
    }
    expect(await told()).toEqual([
      ['incident.opened', 'Number of errors is 7, above 5'],
      ['incident.worsened', 'Number of errors is 14, above 10'],
      ['incident.improved', 'Number of errors is 7, above 5'],
      ['incident.closed', 'Number of errors is back to 0'],
    ])
    const [incident] = await world.control.db.selectFrom('incident').selectAll().execute()
    expect(incident).toMatchObject({ severity: 'critical', peak: 14, name: 'checkout' })
    expect(incident?.closed_at).not.toBeNull()
    const events = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(events).toMatchObject(
      ['trigger', 'trigger', 'trigger', 'resolve'].map(event_action => ({
        ...{ event_action, routing_key: pager.routingKey },
        dedup_key: expect.stringMatching(new RegExp(`^hydrant/acme/incident/${incident?.id}/[0-9a-f-]{36}$`)),
      })),
    )
    expect(new Set(events.map(({ dedup_key }) => dedup_key)).size).toBe(1)
    expect(events[0]).toMatchObject({ payload: { summary: expect.stringContaining('Failing: checkout') } })
  })

  test('nothing is judged before everything received has been digested', async () => {
    await addRule({ metric } as never)
    await pass(1)
    const before = await readMinuteClock(world.control, world.clock.now)
    world.clock.now += 5 * minuteMs
    // A record has waited since then.
    await reportClock(world.control, 'inbox', before?.until ?? 0, world.clock.now)
    expect(await evaluateMinutes(options)).toBe(0)
  })

  test('while Hydrant was down nobody is accused: the state is unknown, and no alert fires', async () => {
    await addRule({ metric: { ...metric, direction: 'below', critical: 3, warning: null, resolved: null } } as never)
    await send(5)
    await pass(1)
    // Down for an hour, in which nothing could arrive.
    world.clock.now += hourMs
    await reportClock(world.control, 'inbox', world.clock.now, world.clock.now)
    await evaluateMinutes(options)
    await pass(4)
    expect(await told()).toEqual([])
    const [detector] = await world.control.db.selectFrom('detector').selectAll().execute()
    expect(detector?.state).toBe('unknown')
    // The first window after it is known again, and silence is told.
    await pass(3)
    expect(await told()).toEqual([['incident.opened', 'Number of errors is 0, below 3']])
  })

  test('a preview shows the incidents that the job has told, whatever a number is compared with', async () => {
    const minutes = 10
    const weekMs = 7 * 24 * hourMs
    const open = { critical: 9, warning: 6, resolved: 4 }
    const metrics: Record<string, object> = {
      count: { ...open, forMinutes: 2 },
      users: { ...open, measure: 'count_unique(user)', windowMs: 3 * minuteMs },
      rate: {
        measure: 'failure_rate()',
        windowMs: 2 * minuteMs,
        critical: 0.4,
        warning: 0.25,
        resolved: 0.1,
        leastRows: 3,
      },
      usual: { compare: 'usual', critical: 1.5, warning: 0.5, resolved: 0, windowMs: 2 * minuteMs },
      release: { compare: 'previous-release', critical: 150, warning: 50, resolved: 10, windowMs: 3 * minuteMs },
    }
    const random = createRandom(7)
    const releases = { 'web@1.0.0': begin, 'web@2.0.0': begin + 2.3 * minuteMs, 'web@3.0.0': begin + 7 * minuteMs }
    const releaseAt = (at: number) => Object.entries(releases).findLast(([, seen]) => seen <= at)?.[0]
    const errorsFrom = (start: number): SentError[] =>
      Array.from({ length: minutes }, (_, minute): SentError[] => {
        const receivedAt = start + minute * minuteMs + random.int(minuteMs)
        const isHandled = random.chance(0.6)
        return Array.from({ length: random.int(9) }, (_, user) => ({
          ...{ receivedAt, isHandled, user: `u${user}`, release: releaseAt(receivedAt) ?? '' },
          // Some are received long after they happened, and what happened yesterday is no news.
          at: receivedAt - random.pick([0, 0, 0, 40 * minuteMs, 20 * hourMs]),
        }))
      }).flat()
    for (const week of [4, 3, 2, 1]) await sendAll(errorsFrom(begin - week * weekMs))
    await sendAll(errorsFrom(begin))
    for (const [version, first_seen] of Object.entries(releases))
      await world.control.db.updateTable('project_release').set({ first_seen }).where('version', '=', version).execute()
    // Only versions are read from the control database.
    const wanted = Object.entries(metrics).filter(([name]) => isFirst || name === 'release')
    for (const [name, given] of wanted)
      await addRule({ metric: { ...metric, resolved: null, warning: null, ...given }, name } as never)
    for (let minute = 0; minute < minutes + 4; minute++) await pass(1, random.int(20_000))
    const viewer = viewAs(options.stores, {
      projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
      now: world.clock.now,
    })
    for (const rule of await readRules(world.control.db, { organizationIds: [1] })) {
      const { lanes, stepMs } = await previewRule(viewer, { ...rule, ruleId: rule.id })
      const shown = lanes[0].messages.toReversed().filter(({ at }) => at > begin)
      const own = (await sent()).filter(message => message?.kind === 'incident' && message.ruleId === rule.id)
      expect(shown.map(({ at, stored }) => [at, stored.type, stored.reason, stored.severity])).toEqual(
        own.map(message => [
          message?.kind === 'incident' && message.at,
          message?.type,
          message?.reason,
          message?.severity,
        ]),
      )
      expect([rule.name, stepMs, own.length > 1]).toEqual([rule.name, minuteMs, true])
    }
  })

  test.runIf(isFirst)('every number of the editor is measured, of spans, web vitals, errors and logs', async () => {
    for (const { id, dataset, measure } of metricPresets)
      await addRule({ name: id, metric: { dataset, measure, windowMs: 5 * minuteMs, critical: 0 } } as never)
    const at = begin + 10_000
    const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'pageload', status: 'internal_error' }
    const vitals = Object.fromEntries(['lcp', 'inp', 'cls', 'ttfb', 'fcp'].map(name => [name, { value: 0.3 }]))
    const transaction = {
      ...{ type: 'transaction', event_id: 'c'.repeat(32), platform: 'javascript', transaction: '/checkout' },
      ...{ start_timestamp: at / 1_000 - 0.4, timestamp: at / 1_000, contexts: { trace }, measurements: vitals },
    }
    const record = makeRecord(
      [{ type: 'transaction', payload: transaction }],
      {},
      { projectId: world.web, receivedAt: at },
    )
    const log = makeLog({ project_id: world.web, timestamp: at * 1_000, received_at: at })
    await insert('spans', processRecord(record, testContext).rows.spans ?? [])
    await insert('logs', [log])
    world.clock.now = at
    await send(1)
    world.clock.now = begin
    await pass(1)
    const opened = await world.control.db.selectFrom('incident').select('name').orderBy('id').execute()
    expect(opened.map(({ name }) => name)).toEqual(metricPresets.map(({ id }) => id))
  })

  test('two nodes that judge the same minute open one incident', async () => {
    await addRule({ metric } as never)
    await pass(1)
    await send(20)
    world.clock.now += 30_000
    await reportClock(world.control, 'inbox', world.clock.now, world.clock.now)
    world.clock.now += 30_000
    await reportClock(world.control, 'inbox', world.clock.now, world.clock.now)
    await Promise.all([evaluateMinutes(options), evaluateMinutes(options), evaluateMinutes(options)])
    expect(await told()).toHaveLength(1)
  })

  test('fewer events than usual at this hour of the week open an incident', async () => {
    const usual = { ...metric, compare: 'usual', direction: 'below', critical: 6, warning: null, resolved: null }
    await addRule({ metric: { ...usual, windowMs: hourMs } } as never)
    const now = world.clock.now
    for (let week = 4; week >= 1; week--)
      for (const hour of [-1, 0, 1]) {
        world.clock.now = now + 30 * minuteMs - week * 7 * 24 * hourMs + hour * hourMs
        await send(100)
      }
    world.clock.now = now + 59 * minuteMs
    await pass(1)
    expect((await told()).map(([type]) => type)).toEqual(['incident.opened'])
  })

  test('a metric that cannot be computed is refused', async () => {
    for (const wrong of [{ measure: 'median()' }, { query: 'count():>(' }, { measure: 'release' }])
      await expect(addRule({ metric: { ...metric, ...wrong } } as never)).rejects.toThrow('rule_metric_invalid')
  })
})
