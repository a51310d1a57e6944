import { z } from 'zod'
import { rollUpBatch } from '#digest/roll-up-batch.ts'
import { byRankSql, rankSql } from '#domain/events/event-rank.ts'
import { keepRecommended } from '#domain/events/keep-recommended.ts'
import { addPeriods } from '#domain/issues/counters/count-periods.ts'
import { updateImpact } from '#domain/issues/impact/update-impact.ts'
import { setInitialState } from '#domain/issues/lifecycle/update-lifecycle.ts'
import { holdLease, keepLease } from '#jobs/job-lease.ts'
import { leaseName } from '#jobs/reconcile/reconcile.ts'
import { sweepIssues } from '#jobs/sweep-issues.ts'
import { formatWhole } from '#lib/format-whole.ts'
import type { Control } from '#store/control/control.ts'
import { deleteRows } from '#store/telemetry/delete-rows.ts'
import type { RouteRollupRow } from '#store/telemetry/rows.ts'
import { onEveryNode, type TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { ageIssues, planAges } from './age-issues.ts'
import { browsers } from './browsers.ts'
import { countIssues, countRows } from './count-issues.ts'
import { type EventTemplate, eventTemplates, limitIssues, skewTemplates, tailTemplates } from './event-templates.ts'
import { logTemplates } from './log-templates.ts'
import type { SeedOptions } from './parse-seed-options.ts'
import { planDays, planOutage, planReleases, type SeedPlan } from './plan.ts'
import { routes } from './routes.ts'
import { saveReleases } from './save-releases.ts'
import { maxTailErrors } from './tail-errors.ts'
import { dropTemplates, loadTemplates } from './templates.ts'
import { type SpanTemplate, spanTemplates } from './trace-templates.ts'
import { writeRows } from './write-rows.ts'

export type SeedTelemetryOptions = {
  control: Control
  telemetry: Telemetry
  layout: TableLayout
  projectId: number
  options: SeedOptions
  retentionDays: { errors: number; rest: number }
  nowMs: number
  /** Ends the seed, which then removes its rows. */
  signal: AbortSignal
  /**
   * Runs before the reconciliation may count again. Begins while the engine writes the other rows, and must not write before these are
   * counted. Resolves with the number of rows.
   */
  addVisits?(plan: SeedPlan, allowed: { mayWrite: Promise<void>; signal: AbortSignal }): Promise<number>
}

export type SeededTelemetry = { rows: number; issues: number; seconds: number }

/** For the usual number of issues: a million events make 2,000. */
const eventsPerIssue = 500

export async function seedTelemetry({
  control,
  telemetry,
  layout,
  projectId,
  options,
  retentionDays,
  nowMs,
  signal,
  addVisits,
}: SeedTelemetryOptions): Promise<SeededTelemetry> {
  const startedAt = performance.now()
  const context = { projectId, retentionDays }
  const spans = spanTemplates(context)
  const perVisit = spansPerVisit(spans)
  const releases = planReleases(options.days, nowMs)
  const usual = [
    ...eventTemplates(context),
    ...skewTemplates(
      releases.map(({ name }) => name),
      context,
    ),
  ]
  const usualIssues = new Set(usual.map(({ row }) => row.group_hash)).size
  const issueCount =
    options.issues ?? Math.max(usualIssues, Math.min(maxTailErrors, Math.round(options.events / eventsPerIssue)))
  const events = limitIssues(usual, issueCount)
  const tail = tailTemplates(Math.max(0, issueCount - usualIssues), context)
  const plan: SeedPlan = {
    projectId,
    seed: options.seed,
    batchId: `seed:${options.seed}:${nowMs}`,
    userCount: options.users,
    tailCount: tail.length / browsers.length,
    retentionDays,
    releases,
    days: planDays(options, perVisit, nowMs),
    outage: planOutage(nowMs),
  }
  const resumeReconciliation = await pauseReconciliation(control, plan.batchId)
  const bar = openProgressBar(
    options.events + options.spans + options.logs,
    text => void process.stderr.write(text),
    process.stderr.isTTY === true,
  )
  const failed = new AbortController()
  const writes = Promise.withResolvers<void>()
  writes.promise.catch(() => undefined)
  const stop = AbortSignal.any([signal, failed.signal])
  const issuesBefore = await issuesOf(control, plan)
  stop.addEventListener('abort', () => writes.reject(stop.reason))
  const visiting = addVisits?.(plan, { mayWrite: writes.promise, signal: stop })
  visiting?.catch(() => undefined) // its error is thrown where it is awaited
  try {
    await loadTemplates(telemetry, 'spans', spans)
    await loadTemplates(telemetry, 'events', [...events, ...tail])
    await loadTemplates(telemetry, 'route_sums', routeTemplates(spans, [...events, ...tail]))
    await loadTemplates(telemetry, 'logs', logTemplates(context))
    const { hasManyParts } = await writeRows(telemetry, plan, perVisit, { onRows: bar.add, signal }).catch(
      async error => {
        await removeRows(telemetry, layout, plan)
        throw error
      },
    )
    bar.finish()
    // The engine would merge these rows only in a few hours; pages should be as fast as after a month of real traffic.
    for (const table of hasManyParts ? ['event_index', 'route_sums'] : [])
      await telemetry.command(`OPTIMIZE TABLE ${onEveryNode(layout, table)} FINAL`, { max_execution_time: 110 })
    await countIssues(control, telemetry, plan, nowMs)
    await writeIssueStates(control, telemetry, plan, nowMs)
    await saveReleasesOf(control, plan, nowMs)
    writes.resolve()
    const visited = (await visiting) ?? 0
    await sweepIssues(control, nowMs)
    await updateImpact(control, { known: new Map(), now: nowMs, mayGoOn: async () => true })
    const rows = visited + (await countRows(telemetry, plan))
    const issues = (await issuesOf(control, plan)) - issuesBefore
    return { rows, issues, seconds: (performance.now() - startedAt) / 1e3 }
  } catch (error) {
    failed.abort(error)
    await visiting?.catch(() => undefined)
    throw error
  } finally {
    await resumeReconciliation()
    await dropTemplates(telemetry)
  }
}

async function saveReleasesOf({ db }: Control, plan: SeedPlan, nowMs: number): Promise<void> {
  const project = db.selectFrom('project').select('organization_id').where('id', '=', plan.projectId)
  const { organization_id: organizationId } = await project.executeTakeFirstOrThrow()
  await saveReleases({ db, actor: 'cli', now: () => nowMs }, organizationId, plan)
}

async function issuesOf({ db }: Control, { projectId }: SeedPlan): Promise<number> {
  const counted = db.selectFrom('issue').select(({ fn }) => fn.countAll<number>().as('n'))
  return Number((await counted.where('project_id', '=', projectId).executeTakeFirstOrThrow()).n)
}

/** Rows that are not counted yet. The lease is still held, so the reconciliation has not counted them either. */
async function removeRows(telemetry: Telemetry, layout: TableLayout, { projectId, batchId }: SeedPlan): Promise<void> {
  for (const table of ['event_index', 'route_sums', 'events', 'spans', 'logs'] as const)
    await deleteRows(telemetry, layout, table, `project_id = ${projectId} AND batch_id = '${batchId}'`)
}

const askAgainMs = 500

/** Holds the lease of the reconciliation, which would index and count rows that are only half seeded. */
async function pauseReconciliation({ db }: Control, holder: string): Promise<() => Promise<void>> {
  const lease = { name: leaseName, holder }
  while (!(await holdLease(db, lease, Date.now()))) await new Promise(resolve => setTimeout(resolve, askAgainMs))
  return keepLease(db, lease, Date.now)
}

type RouteTemplate = { key: string; row: RouteRollupRow }

/** What digest adds to the route sums for one visit, and for one error. */
function routeTemplates(spans: readonly SpanTemplate[], events: readonly EventTemplate[]): RouteTemplate[] {
  const visits = [...Map.groupBy(spans, ({ key }) => key)].flatMap(([key, own]) =>
    rollUpBatch({ rows: { spans: own.map(({ row }) => row), events: [] }, groupedEvents: [] }).map(row => ({
      key: `visit ${key}`,
      row,
    })),
  )
  const errors = events.flatMap(({ key, row: event, groupedEvents }) =>
    rollUpBatch({ rows: { spans: [], events: [event] }, groupedEvents }).map(row => ({ key: `error ${key}`, row })),
  )
  return [...visits, ...errors]
}

/** The average over all routes, weighted by how often each is visited (`rank` in visit-sql.ts). */
function spansPerVisit(templates: readonly SpanTemplate[]): number {
  const weigh = (index: number): number => Math.log((index + 2) / (index + 1)) / Math.log(routes.length + 1)
  const sum = templates.reduce((total, { key }) => total + weigh(Number(key.split('.')[0])), 0)
  return sum / browsers.length
}

type ProgressBar = { add(rows: number): void; finish(): void }

const width = 30
const plainEveryMs = 5_000

/** A bar on a terminal; elsewhere a line every few seconds. */
function openProgressBar(totalRows: number, write: (text: string) => void, isTerminal: boolean): ProgressBar {
  const startedAt = performance.now()
  let done = 0
  let drawnAt = 0
  const draw = (): void => {
    const share = totalRows === 0 ? 1 : done / totalRows
    const perSecond = done / Math.max(0.001, (performance.now() - startedAt) / 1e3)
    const leftSeconds = perSecond === 0 ? 0 : (totalRows - done) / perSecond
    const figures = `${Math.floor(share * 100)} %  ${count(done)} of ${count(totalRows)} rows  ${count(perSecond)}/s  ${Math.ceil(leftSeconds)} s left`
    const filled = Math.min(width, Math.round(share * width))
    write(isTerminal ? `\r\x1b[2K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${figures}` : `${figures}\n`)
    drawnAt = performance.now()
  }
  return {
    add: rows => {
      done += rows
      if (performance.now() - drawnAt > (isTerminal ? 100 : plainEveryMs)) draw()
    },
    finish: () => {
      draw()
      if (isTerminal) write('\n')
    },
  }
}

const count = (value: number): string => formatWhole(Math.round(value))

const periodRow = z.object({
  group_version: z.coerce.number(),
  group_hash: z.string(),
  period: z.coerce.number(),
  event_count: z.coerce.number(),
  users: z.array(z.string()),
})
const recommendedRow = z.object({
  project_id: z.coerce.number(),
  group_version: z.coerce.number(),
  group_hash: z.string(),
  rank: z.coerce.number(),
  at: z.coerce.number(),
  received_at: z.coerce.number(),
  event_id: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  environment: z.string(),
})
const releaseRow = z.object({ version: z.string(), first_seen: z.coerce.number() })

/** Writes what digest stores besides counters: releases, events and users per hour and day, and the state of new issues. */
async function writeIssueStates(control: Control, telemetry: Telemetry, plan: SeedPlan, nowMs: number): Promise<void> {
  const params = { projectId: plan.projectId, batchId: plan.batchId, sinceMs: nowMs - 8 * 86_400_000 }
  const seeded = 'FROM events WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}'
  const periods = (seconds: number, since: string) =>
    telemetry.query({
      query: `SELECT group_version, toString(group_hash) AS group_hash, intDiv(toUnixTimestamp(timestamp), ${seconds}) AS period,
                toUInt64(sum(weight)) AS event_count, groupUniqArray(toString(user_hash)) AS users
              ${seeded} ${since} GROUP BY group_version, group_hash, period ORDER BY group_version, group_hash, period LIMIT 5000000`,
      params,
      schema: periodRow,
      settings: { max_execution_time: 110 },
    })
  const hours = await periods(3_600, 'AND timestamp > fromUnixTimestamp64Milli({sinceMs:Int64})')
  const days = await periods(86_400, '')
  const releases = await telemetry.query({
    query: `SELECT release AS version, toUnixTimestamp64Milli(min(timestamp)) AS first_seen ${seeded} AND release != ''
            GROUP BY release LIMIT 1000`,
    params,
    schema: releaseRow,
  })
  const crashes = await telemetry.query({
    query: `SELECT DISTINCT toString(group_hash) AS group_hash ${seeded} AND NOT is_handled LIMIT 100000`,
    params,
    schema: z.object({ group_hash: z.string() }),
  })
  const recommended = await telemetry.query({
    query: `SELECT project_id, group_version, toString(group_hash) AS group_hash, ${rankSql('events')} AS rank,
              toUnixTimestamp64Milli(events.timestamp) AS at, toUnixTimestamp64Milli(events.received_at) AS received_at,
              replaceAll(toString(events.event_id), '-', '') AS event_id, replaceAll(toString(trace_id), '-', '') AS trace_id,
              toString(span_id) AS span_id, toString(environment) AS environment
            ${seeded} ORDER BY ${byRankSql('events')} LIMIT 1 BY group_version, group_hash LIMIT 1000000`,
    params,
    schema: recommendedRow,
    settings: { max_execution_time: 110 },
  })
  const ages = await planAges(telemetry, plan, hours, nowMs)
  await control.db.transaction().execute(async trx => {
    await keepRecommended(trx, recommended)
    const groups = (rows: typeof hours) =>
      rows.map(({ users, ...row }) => ({ project_id: plan.projectId, ...row, users: new Set(users) }))
    await addPeriods(trx, { table: 'hash_hour', column: 'hour' }, groups(hours))
    await addPeriods(trx, { table: 'hash_day', column: 'day' }, groups(days))
    for (const release of releases)
      await trx
        .insertInto('project_release')
        .values({ project_id: plan.projectId, ...release })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    const crashed = new Set(crashes.map(row => row.group_hash))
    const issues = await trx
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select([
        'issue.id',
        'issue.project_id',
        'issue.level',
        'issue.is_unhandled',
        'issue.substatus_at',
        'issue_hash.group_hash',
      ])
      .where('issue.project_id', '=', plan.projectId)
      .where('issue.substatus_at', '=', 0)
      .execute()
    await setInitialState(
      trx,
      issues.map(issue => ({ ...issue, newEvents: [{ isUnhandled: crashed.has(issue.group_hash) }] })),
      nowMs,
    )
    await ageIssues(trx, plan.projectId, issues, nowMs, ages)
  })
}
