import { z } from 'zod'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import type { FilterMode } from '#react/noise/noise-rule.ts'
import { noiseRules } from '#react/noise/noise-rules.ts'
import { scopeControl } from '#store/control/scoped-control.ts'

type SetFilterResult = { ok: true } | { ok: false; code: 'project_not_found' | 'count_invalid' }

type Choice = {
  organizationId: number
  projectId: number
  rule: string
  mode: 'on' | 'off' | 'sample'
  keepOneIn: number
}

/**
 * Milliseconds. Digest filters a record by the setting at its time of receipt, and must find the same setting when it processes the
 * record again. So a setting starts only after every node can read it.
 */
const leadMs = 3_000

/** Sets a filter, effective in a few seconds. Earlier settings are kept, because they apply to earlier events. */
export function setFilter(
  context: CommandContext,
  { organizationId, projectId, rule, mode, keepOneIn }: Choice,
): Promise<SetFilterResult> {
  return inTransaction<SetFilterResult>(context, async inner => {
    if (!Number.isInteger(keepOneIn) || keepOneIn < 1 || keepOneIn > 10_000) return { ok: false, code: 'count_invalid' }
    const control = scopeControl(inner.db, { organizationId, projectIds: [projectId] })
    const project = await control.projects().select('id').executeTakeFirst()
    if (project === undefined) return { ok: false, code: 'project_not_found' }
    const choice = { mode, keep_one_in: keepOneIn, actor: inner.actor }
    await inner.db
      .insertInto('project_filter')
      .values({ project_id: projectId, rule, since: inner.now() + leadMs, ...choice })
      .onConflict(conflict => conflict.columns(['project_id', 'rule', 'since']).doUpdateSet(choice))
      .execute()
    await writeAudit(inner, {
      organizationId,
      action: 'project_filter.choose',
      target: `project:${projectId}`,
      detail: { rule, mode, keep_one_in: keepOneIn },
    })
    return { ok: true }
  })
}

export type Filter = {
  rule: string
  name: string
  why: string
  mode: FilterMode
  keepOneIn: number
  byDefault: FilterMode
  /** Null for the default. */
  chosenAt: number | null
}

/** All filters with a project's settings. */
export async function listFilters(viewer: Viewer, projectId: number): Promise<Filter[]> {
  const rows = await viewer.control
    .within([projectId])
    .projectFilters()
    .select(['rule', 'mode', 'keep_one_in', 'since'])
    .orderBy('since', 'desc')
    .limit(10_000)
    .execute()
  return noiseRules.map(({ id, name, why, byDefault }) => {
    const chosen = rows.find(row => row.rule === id)
    return {
      rule: id,
      name,
      why,
      mode: chosen?.mode ?? byDefault,
      keepOneIn: chosen?.keep_one_in ?? 10,
      byDefault,
      chosenAt: chosen?.since ?? null,
    }
  })
}

const row = z.object({ day: z.coerce.number(), reason: z.string(), quantity: z.coerce.number() })
const dayMs = 24 * 3_600_000
const maxRows = 5_000

/** How many events each filter dropped on each of the last `days`, oldest first. */
export async function countFiltered(viewer: Viewer, projectId: number, days: number): Promise<Map<string, number[]>> {
  const today = Math.floor(viewer.now / dayMs)
  const rows = await viewer.telemetry.within([projectId]).query({
    query: `
      SELECT intDiv(toUnixTimestamp(hour), 86400) AS day, reason, sum(quantity) AS quantity
      FROM outcomes
      WHERE {scope}
        AND hour >= fromUnixTimestamp64Milli({since:Int64})
        AND outcome = 'filtered'
        AND category = 'error'
      GROUP BY day, reason
      ORDER BY day, reason
      LIMIT {limit:UInt32}`,
    params: {
      since: (today - days + 1) * dayMs,
      limit: maxRows,
    },
    schema: row,
  })
  const counts = new Map<string, number[]>()
  for (const { day, reason, quantity } of rows) {
    const list = counts.get(reason) ?? Array.from({ length: days }, () => 0)
    const at = day - (today - days + 1)
    if (at >= 0 && at < days) list[at] = quantity
    counts.set(reason, list)
  }
  return counts
}

const maxExamples = 500

/** Examples of the newest events that a project's filters dropped. */
export async function listFilteredExamples(viewer: Viewer, projectId: number) {
  const rows = await viewer.control
    .within([projectId])
    .filteredExamples()
    .select(['rule', 'event_id as eventId', 'at', 'title', 'route', 'release', 'browser'])
    .orderBy('at', 'desc')
    .limit(maxExamples)
    .execute()
  return rows
}

export type FilteredExample = Awaited<ReturnType<typeof listFilteredExamples>>[number]
