import type { FilterMode } from '#lens/noise/noise-rule.ts'
import { noiseRules } from '#lens/noise/noise-rules.ts'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'
import { within } from './within.ts'

export type Filter = {
  rule: string
  name: string
  why: string
  mode: FilterMode
  keepOneIn: number
  byDefault: FilterMode
  /** Null while nobody has chosen. */
  chosenAt: number | null
}

/** Every kind of noise that is known, and what a project does with it. */
export async function listFilters(viewer: Viewer, projectId: number): Promise<Filter[]> {
  const rows = await viewer.control.db
    .selectFrom('project_filter')
    .select(['rule', 'mode', 'keep_one_in', 'since'])
    .where('project_id', 'in', within(projectIds(viewer), projectId))
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
