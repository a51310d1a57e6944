/** A world in which rules watch numbers: errors, spans and logs arrive, minutes pass and are judged. */
import { processRecord } from '#digest/process-record.ts'
import { flushDueBursts } from '#domain/alerts/alert-on-changes.ts'
import { evaluateMinutes, type MinuteOptions } from '#domain/alerts/evaluate-minute.ts'
import { reportClock } from '#domain/alerts/minute-clock.ts'
import { previewRule } from '#domain/alerts/preview-rule.ts'
import { readRules } from '#domain/alerts/read-rules.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { saveRule } from '#domain/alerts/save-rule.ts'
import { readStoredMessage } from '#domain/alerts/stored-message.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import type { Control } from '#store/control/control.ts'
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { makeDeliveryWorld } from '../channels/delivery-world.ts'
import { createIds } from '../create-ids.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { viewAs } from '../view-as.ts'
import { digestEvents, type SentError } from './digest-events.ts'
import { emptyTables } from './start-telemetry.ts'
import { startedAt } from './workflow-world.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
/** A whole minute. */
export const begin = Math.ceil(startedAt / minuteMs) * minuteMs

export type SentSpan = {
  durationMs?: number
  isFailed?: boolean
  lcp?: number
  /** Instead of `lcp`: measurements as SDKs send them. */
  measurements?: Record<string, { value: number }>
  name?: string
  release?: string
  at?: number
}

const nextId = createIds('metric world')
let batches = 0

export async function makeMetricWorld(control: Control, telemetry: Telemetry) {
  await emptyTables(telemetry)
  const world = await makeDeliveryWorld(control)
  const { clock } = world
  clock.now = begin
  const options: MinuteOptions = { stores: { control, telemetry }, enqueue, now: () => clock.now }
  await control.db
    .insertInto('channel')
    .values({
      ...{ organization_id: 1, project_id: null, name: 'hook', kind: 'webhook', config: '{}' },
      ...{ state_at: begin, owner_user_id: null, created_at: begin },
    })
    .execute()
  // The node has been up for two days.
  await reportClock(control, 'inbox', begin, begin - 48 * hourMs)
  await control.db.updateTable('node_clock').set({ reported_at: begin }).execute()

  const insert = async (table: 'spans' | 'logs', rows: readonly object[]): Promise<void> => {
    batches += 1
    await telemetry.insert({
      table,
      columns: insertColumns(table),
      body: encodeRows(table, rows as never, `metric-${batches}`),
      token: `metric-${batches}/${table}`,
    })
  }

  async function sendErrors(errors: SentError[]): Promise<void> {
    const { rows } = await digestEvents(world, errors)
    batches += 1
    await writeEvents(telemetry, {
      ...{ rows: rows.events, batchId: `metric-${batches}`, mayHaveArrived: false, isSuspect: false },
    })
  }

  /** Sends each span as a separate transaction, as an SDK does. */
  async function sendSpans(spans: SentSpan[]): Promise<void> {
    const rows = spans.flatMap(sent => {
      const { durationMs = 100, isFailed = false, lcp, name = '/checkout', release, at = clock.now } = sent
      const measurements = sent.measurements ?? (lcp === undefined ? {} : { lcp: { value: lcp } })
      const status = isFailed ? 'internal_error' : 'ok'
      const op = Object.keys(measurements).length === 0 ? 'http.server' : 'pageload'
      const transaction = {
        ...{ type: 'transaction', event_id: nextId(), platform: 'javascript', transaction: name },
        ...{ start_timestamp: (at - durationMs) / 1_000, timestamp: at / 1_000 },
        contexts: { trace: { trace_id: nextId(), span_id: nextId().slice(0, 16), op, status } },
        measurements,
        release,
      }
      const head = { projectId: world.web, receivedAt: at }
      return processRecord(makeRecord([{ type: 'transaction', payload: transaction }], {}, head), testContext).rows
        .spans
    })
    await insert(
      'spans',
      rows.flatMap(row => row ?? []),
    )
  }

  /** A report of the node, and what has become ready is judged. */
  async function judge(lateMs = 0): Promise<number> {
    const end = clock.now
    clock.now += lateMs
    await reportClock(control, 'inbox', clock.now, clock.now)
    const judged = await evaluateMinutes(options)
    await flushDueBursts(options)
    clock.now = end
    return judged
  }

  return {
    ...world,
    options,
    insert,
    sendErrors,
    sendSpans,
    judge,
    /** Time passes, with the reports between two minutes. `each` happens in the middle of each minute. */
    async pass(minutes: number, each?: (minute: number) => Promise<void>): Promise<number> {
      let judged = 0
      for (let minute = 0; minute < minutes; minute++) {
        clock.now += minuteMs / 2
        await each?.(minute)
        clock.now += minuteMs / 2
        await control.db.updateTable('node_clock').set({ reported_at: clock.now }).execute()
        judged += await judge()
      }
      return judged
    },
    async addRule(
      metric: object,
      name = 'checkout',
      more: object = {},
      projectId: number | null = world.web,
    ): Promise<number> {
      const saved = await saveRule(world.context, {
        ...{ organizationId: 1, ruleId: null, name, projectId, isOn: true },
        ...{ channelIds: [1], ownerUserId: null, config: ruleConfig.parse({ metric, ...more }) },
      })
      if (!saved.ok) throw new Error(saved.code)
      return saved.ruleId
    },
    async told() {
      const rows = await control.db.selectFrom('outbox').select('message').orderBy('id').execute()
      return rows.map(row => readStoredMessage(row.message)).map(message => [message?.type, message?.reason])
    },
    detector: (ruleId = 1) =>
      control.db.selectFrom('detector').selectAll().where('rule_id', '=', ruleId).executeTakeFirstOrThrow(),
    viewer: () =>
      viewAs(options.stores, {
        projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
        now: clock.now,
      }),
    /** Previews the rule. `told` contains its messages since the world began, oldest first. */
    async previewed(ruleId = 1) {
      const [rule] = await readRules(control.db, { ruleId })
      if (rule === undefined) throw new Error('rule not found')
      const viewer = viewAs(options.stores, {
        projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
        now: clock.now,
      })
      const preview = await previewRule(viewer, { ...rule, ruleId })
      const messages = preview.lanes[0].messages.toReversed().filter(({ at }) => at > begin)
      return { ...preview, told: messages.map(({ stored }) => [stored.type, stored.reason]) }
    },
  }
}
