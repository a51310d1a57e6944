/** Judges every minute once, in order: counts of issues, and the metrics of rules. */
import type { Transaction } from 'kysely'
import type { Stores } from '#domain/access/unscoped-stores.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { flushDueBursts } from './alert-on-changes.ts'
import { dispatch } from './dispatch.ts'
import { matchCounts } from './evaluate-counts.ts'
import { findMetrics } from './evaluate-metrics.ts'
import { recordFinding } from './incidents.ts'
import { sendingOf } from './lane-memory.ts'
import type { Sending } from './lanes.ts'
import { releaseLateNews } from './late-news.ts'
import type { Match } from './match-changes.ts'
import { comparedMs } from './measure.ts'
import { readMinuteClock } from './minute-clock.ts'
import { createViewers } from './organization-viewer.ts'
import { readFirstReport, readPauses } from './pauses.ts'
import { readRules } from './read-rules.ts'
import { hearsOf, isAwake, type Rule } from './rule.ts'
import type { Enqueue } from './send-to-lane.ts'
import type { IncidentMessage } from './stored-message.ts'

type Trx = Transaction<ControlSchema>
export type MinuteOptions = { stores: Stores; enqueue: Enqueue; now: () => number }

const minuteMs = 60_000
/** After a longer stop only the last minute is judged: what was wrong in between is no news anymore. */
const mostMinutes = 10
const stateName = 'alerts_minute'

/** Judges the minutes that have become ready. Gives their number. */
export async function evaluateMinutes(options: MinuteOptions): Promise<number> {
  const { control } = options.stores
  const clock = await readMinuteClock(control, options.now())
  if (clock === null) return 0
  const last = (await readState(control.db, stateName)) ?? 0
  const first = clock.until - last > mostMinutes * minuteMs ? clock.until : last + minuteMs
  let judged = 0
  for (let minute = first; minute <= clock.until; minute += minuteMs) {
    // What was collected until its end goes out before it.
    await flushDueBursts(options)
    await releaseLateNews(control, options.now())
    await evaluateMinute(options, minute)
    await writeState(control.db, stateName, minute)
    judged += 1
  }
  return judged
}

async function evaluateMinute(options: MinuteOptions, minute: number): Promise<void> {
  const { stores, now } = options
  const organizations = await stores.control.db
    .selectFrom('alert_rule')
    .select('organization_id')
    .distinct()
    .where('is_on', '=', 1)
    .execute()
  const viewerOf = createViewers(stores, now())
  for (const { organization_id: organizationId } of organizations) {
    const viewer = await viewerOf(organizationId)
    if (viewer !== null) await evaluateOrganization(options, viewer, minute)
  }
}

async function evaluateOrganization(
  { stores, enqueue, now }: MinuteOptions,
  viewer: Viewer,
  minute: number,
): Promise<void> {
  const { db } = stores.control
  const name = `${stateName}:${viewer.organization.id}`
  if (((await readState(db, name)) ?? 0) >= minute) return
  const rules = (await readRules(db, { organizationIds: [viewer.organization.id] })).filter(({ isOn }) => isOn)
  const pauses = await readPauses(stores.control, minute - comparedMs, now())
  const counted = await matchCounts(viewer, rules, minute, pauses)
  // A snoozed rule doesn't open incidents, because it wouldn't notify any channel of them.
  const awake = rules.filter(rule => isAwake(rule, minute))
  const findings = await findMetrics(viewer, awake, await readDetectors(db, awake), {
    until: minute,
    pauses,
    firstReport: await readFirstReport(stores.control),
  })
  await retryDeadlocks(() =>
    db.transaction().execute(async trx => {
      // Another node may have judged it meanwhile.
      if (!(await claimMinute(trx, name, minute))) return
      const incidents: IncidentMessage[] = []
      for (const finding of findings) {
        const message = await recordFinding(trx, finding, minute)
        if (message !== null) incidents.push(message)
      }
      await dispatchAll({ ...sendingOf({ trx, enqueue, nowMs: now() }), nowMs: minute }, viewer, {
        rules,
        counted,
        incidents,
      })
    }),
  )
}

type Judged = { rules: readonly Rule[]; counted: readonly Match[]; incidents: readonly IncidentMessage[] }

async function dispatchAll(sending: Sending, viewer: Viewer, { rules, counted, incidents }: Judged): Promise<void> {
  for (const rule of rules) {
    const own = counted.filter(match => match.rule.id === rule.id).map(({ message }) => message)
    const heard = isAwake(rule, sending.nowMs)
      ? incidents.filter(message => hearsOf(rule, message, viewer.projects))
      : []
    const messages = [...own, ...heard.map(message => ({ ...message, ruleId: rule.id }))]
    if (messages.length > 0) await dispatch(sending, { kind: 'rule', rule }, messages)
  }
  for (const [projectId, group] of Map.groupBy(incidents, message => message.projectId))
    if (projectId !== null) await dispatch(sending, { kind: 'project', projectId }, group)
}

async function readDetectors(db: Stores['control']['db'], rules: readonly Rule[]) {
  const rows = await db
    .selectFrom('detector')
    .select(['id', 'rule_id', 'severity', 'cause', 'gap', 'no_data_since as noDataSince', 'judged_at as judgedAt'])
    .where('rule_id', 'in', [0, ...rules.map(({ id }) => id)])
    .execute()
  return new Map(rows.map(row => [row.rule_id ?? 0, row]))
}

async function claimMinute(trx: Trx, name: string, minute: number): Promise<boolean> {
  const moved = await trx
    .insertInto('maintenance_state')
    .values({ name, value: minute })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet({ value: minute }).where('maintenance_state.value', '<', minute),
    )
    .returning('value')
    .executeTakeFirst()
  return moved !== undefined
}

async function readState(db: Stores['control']['db'], name: string): Promise<number | null> {
  const row = await db.selectFrom('maintenance_state').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

async function writeState(db: Stores['control']['db'], name: string, value: number): Promise<void> {
  await db
    .insertInto('maintenance_state')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }).where('maintenance_state.value', '<', value))
    .execute()
}
