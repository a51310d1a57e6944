/** What the address of every list and table is narrowed by: projects, environment and time. */
import { z } from 'zod'
import { type RangeName, ranges } from './ranges.ts'

export type ScopeParams = { projects: string[]; environment: string | undefined; range: RangeName }

const rangeNames = Object.keys(ranges) as RangeName[]
const params = z.object({
  project: z
    .union([z.string(), z.array(z.string())])
    .default([])
    .catch([]),
  env: z.string().optional().catch(undefined),
})

/** Nonsense is left out, never an error. */
export function readScopeParams(raw: Record<string, unknown>, plainRange: RangeName): ScopeParams {
  const { project, env } = params.parse(raw)
  const projects = [project]
    .flat()
    .flatMap(text => text.split(','))
    .filter(Boolean)
  return {
    projects: [...new Set(projects)],
    environment: env || undefined,
    range: rangeNames.find(name => name === raw.range) ?? plainRange,
  }
}

/** Only what differs from the plain page is in its address. */
export const keptScope = (
  { projects, environment, range }: ScopeParams,
  plainRange: RangeName,
): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  ...(range === plainRange ? {} : { range }),
})
