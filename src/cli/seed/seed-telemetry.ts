import type { Control } from '#store/control/control.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { browsers } from './browsers.ts'
import { countIssues } from './count-issues.ts'
import { countRows } from './count-rows.ts'
import { eventTemplates, tailTemplates } from './event-templates.ts'
import { logTemplates } from './log-templates.ts'
import { noteStates } from './note-states.ts'
import type { SeedOptions } from './parse-seed-options.ts'
import { planDays, planReleases, type SeedPlan } from './plan.ts'
import { openProgressBar } from './progress-bar.ts'
import { routeTemplates } from './route-templates.ts'
import { spansPerVisit } from './spans-per-visit.ts'
import { dropTemplates, loadTemplates } from './template-tables.ts'
import { spanTemplates } from './trace-templates.ts'
import { writeRows } from './write-rows.ts'

type Sowing = {
  control: Control
  telemetry: Telemetry
  layout: TableLayout
  projectId: number
  options: SeedOptions
  retentionDays: { errors: number; rest: number }
  nowMs: number
}

export async function seedTelemetry({
  control,
  telemetry,
  layout,
  projectId,
  options,
  retentionDays,
  nowMs,
}: Sowing): Promise<{ rows: number; issues: number; seconds: number }> {
  const begun = performance.now()
  const context = { projectId, retentionDays }
  const spans = spanTemplates(context)
  const perVisit = spansPerVisit(spans)
  const events = eventTemplates(context)
  const tail = tailTemplates(
    Math.max(0, options.issues - new Set(events.map(({ row }) => row.group_hash)).size),
    context,
  )
  const plan: SeedPlan = {
    projectId,
    seed: options.seed,
    batchId: `seed:${options.seed}:${nowMs}`,
    userCount: options.users,
    tailCount: tail.length / browsers.length,
    retentionDays,
    releases: planReleases(options.days, nowMs),
    days: planDays(options, perVisit, nowMs),
  }
  const bar = openProgressBar(
    options.events + options.spans + options.logs,
    text => void process.stderr.write(text),
    process.stderr.isTTY === true,
  )
  try {
    await loadTemplates(telemetry, 'spans', spans)
    await loadTemplates(telemetry, 'events', [...events, ...tail])
    await loadTemplates(telemetry, 'route_sums', routeTemplates(spans, [...events, ...tail]))
    await loadTemplates(telemetry, 'logs', logTemplates(context))
    await writeRows(telemetry, plan, perVisit, bar.add)
    bar.finish()
    // As it would be after a month: seeded rows are all of this hour, and the engine merges what is some hours old.
    for (const name of ['event_index', 'route_sums']) {
      const table = layout.kind === 'cluster' ? `${name}_local ON CLUSTER ${layout.cluster}` : name
      await telemetry.command(`OPTIMIZE TABLE ${table} FINAL`, { max_execution_time: 110 })
    }
  } finally {
    await dropTemplates(telemetry)
  }
  const issues = await countIssues(control, telemetry, plan, nowMs)
  await noteStates(control, telemetry, plan, nowMs)
  const rows = await countRows(telemetry, plan)
  return { rows, issues, seconds: (performance.now() - begun) / 1e3 }
}
