/** A world with rules that page: what opens a page, and what ends it. */
import { alertOnChanges } from '#domain/alerts/alert-on-changes.ts'
import { buildMessage } from '#domain/alerts/build-message.ts'
import { closeEndedPages } from '#domain/alerts/close-pages.ts'
import { dispatch } from '#domain/alerts/dispatch.ts'
import { flushBurst, listDueBursts } from '#domain/alerts/flush-bursts.ts'
import { recordFinding } from '#domain/alerts/incidents.ts'
import { sendingOf } from '#domain/alerts/lane-memory.ts'
import { readRules } from '#domain/alerts/read-rules.ts'
import { type RuleConfig, ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import type { IssueMessage, SingleMessage } from '#domain/alerts/stored-message.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { channelKinds } from '#domain/channels/kinds/list.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { makeDeliveryWorld } from '../channels/delivery-world.ts'
import type { Pager } from '../channels/start-pager.ts'

const noTelemetry = { query: () => Promise.reject(new Error('this test has no engine')) } as unknown as Telemetry
export const pagerKinds = channelKinds.filter(({ isPager }) => isPager).map(({ id }) => id)
export const metric = { dataset: 'errors', measure: 'count()', query: '', windowMs: 300_000, critical: 10, warning: 5 }

export type PagesWorld = Awaited<ReturnType<typeof makePagesWorld>>

export async function makePagesWorld(control: Control, pager: Pager) {
  const world = await makeDeliveryWorld(control)
  const stores = { control, telemetry: noTelemetry }
  const options = { stores, enqueue, now: () => world.clock.now }
  await alertOnChanges(options)
  const worker = (holder: string) =>
    world.worker(holder, row => buildMessage(stores, 'https://h.test', row, world.clock.now))
  let names = 0

  async function addPager(kind = 'pagerduty', routingKey = `${++names}`.padStart(32, '0')): Promise<number> {
    return world.addChannel(kind, { routingKey, url: pager.url }, `pager ${++names}`)
  }

  async function addRule(channelIds: readonly number[], config: object = {}, projectId: number | null = world.web) {
    const saved = await saveRule(world.context, {
      ...{ organizationId: world.organizationId, ruleId: null, name: `rule ${++names}`, projectId, isOn: true },
      ...{ channelIds, ownerUserId: null, config: ruleConfig.parse({ when: ['new-issue'], ...config }) },
    })
    if (!saved.ok) throw new Error(saved.code)
    return saved.ruleId
  }

  const readRule = async (ruleId: number) => {
    const [rule] = await readRules(control.db, { ruleId })
    if (rule === undefined) throw new Error('there is no such rule')
    return rule
  }

  const changeRule = async (
    ruleId: number,
    change: { config?: Partial<RuleConfig>; isOn?: boolean; channelIds?: number[]; projectId?: number },
  ) => {
    // Later than what it has sent.
    world.clock.now += 1
    const { name, projectId, config, isOn, channelIds } = await readRule(ruleId)
    const saved = await saveRule(world.context, {
      ...{ organizationId: world.organizationId, ruleId, name, ownerUserId: null },
      ...{ projectId, isOn, channelIds, ...change, config: { ...config, ...change.config } },
    })
    if (!saved.ok) throw new Error(saved.code)
  }

  const issueMessage = (issueId: number, given: Partial<IssueMessage> = {}): IssueMessage => ({
    ...{ kind: 'issue', type: 'issue.new', issueId, projectId: world.web, ruleId: null, at: world.clock.now },
    ...{ severity: 'warning', reason: 'seen for the first time', ...given },
  })

  /** Sends the findings of a rule to its channels. */
  async function tell(ruleId: number, messages: readonly SingleMessage[], traces?: ReadonlyMap<number, string>) {
    const rule = await readRule(ruleId)
    await control.db.transaction().execute(trx =>
      dispatch(
        sendingOf({ trx, enqueue, nowMs: world.clock.now }, traces),
        { kind: 'rule', rule },
        messages.map(message => ({ ...message, ruleId })),
      ),
    )
  }

  async function flush() {
    for (const burst of await listDueBursts(control.db, world.clock.now))
      await control.db
        .transaction()
        .execute(trx => flushBurst(sendingOf({ trx, enqueue, nowMs: world.clock.now }), burst))
  }

  /** Records a finding of a rule's detector and sends the resulting message to the rule's channels. */
  async function find(ruleId: number, severity: 'critical' | 'warning' | '') {
    world.clock.now += 60_000
    const minute = Math.floor(world.clock.now / 60_000) * 60_000
    const detector = await control.db
      .selectFrom('detector')
      .select('id')
      .where('rule_id', '=', ruleId)
      .executeTakeFirst()
    if (detector === undefined) return null
    const message = await control.db.transaction().execute(trx =>
      recordFinding(
        trx,
        {
          detectorId: detector.id,
          verdict: severity === '' ? { state: 'ok', severity } : { state: 'failing', severity },
          value: 12,
          limits: { warning: null, critical: 10, resolved: null },
          ...{ forMinutes: 1, isHigherWorse: true, reason: () => 'Number of errors is 12, above 10', metric: '' },
        },
        minute,
      ),
    )
    if (message !== null) await tell(ruleId, [message])
    return message
  }

  /** Everything that is due, until nothing is: the jobs go on for an hour. */
  async function settle(holder = 'settling') {
    // Leases end and failed attempts are repeated within three minutes.
    for (let minute = 0, quiet = 0; minute < 60 && quiet < 3; minute++) {
      await alertOnChanges(options)
      await flush()
      const closed = await closeEndedPages(options)
      const sent = await worker(holder).run()
      // If nothing is waiting, the minutes pass immediately.
      const minutes = closed + sent > 0 ? 0 : (await isWaiting()) ? 1 : 3 - quiet
      quiet = minutes === 0 ? 0 : quiet + minutes
      world.clock.now += Math.max(minutes, 1) * 61_000
    }
  }

  async function isWaiting(): Promise<boolean> {
    const queued = control.db.selectFrom('outbox').select('id').where('state', '=', 'queued')
    const burst = control.db.selectFrom('alert_burst').select('target')
    return ((await queued.executeTakeFirst()) ?? (await burst.executeTakeFirst())) !== undefined
  }

  /** As the delivery job builds it. */
  async function build(message: SingleMessage) {
    const row = { id: 'm1', organizationId: world.organizationId, message }
    const built = await buildMessage(stores, 'https://h.test', row, world.clock.now)
    if (built === null) throw new Error('there is nothing to say')
    return built
  }

  return {
    ...world,
    stores,
    options,
    build,
    worker,
    addPager,
    addRule,
    changeRule,
    issueMessage,
    tell,
    flush,
    find,
    settle,
  }
}
