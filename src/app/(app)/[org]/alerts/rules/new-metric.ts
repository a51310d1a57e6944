/** A new rule that watches a number, as other pages offer it: in the URL of the editor. */
import { z } from 'zod'
import { metricPresets } from '#domain/alerts/metric-words.ts'
import { type RuleConfig, ruleConfig } from '#domain/alerts/rule.ts'

type NewMetric = {
  name: string
  /** One of the numbers that the editor offers. */
  metric: (typeof metricPresets)[number]['id']
  query: string
  above: number
  minutes: number
  /** By its slug. */
  project: string | undefined
  environment: string | undefined
}

export function newMetricHref(organizationSlug: string, { project, environment, ...given }: NewMetric): string {
  const { name, metric, query, above, minutes } = given
  const search = new URLSearchParams({
    name,
    metric,
    query,
    above: String(above),
    minutes: String(minutes),
    ...(project === undefined ? {} : { project }),
    ...(environment === undefined ? {} : { env: environment }),
  })
  return `/${organizationSlug}/alerts/rules/new?${search}`
}

const params = z.object({
  name: z.string().max(200).default(''),
  metric: z.enum(metricPresets.map(({ id }) => id)),
  query: z.string().max(2_000).default(''),
  above: z.coerce.number().min(0).max(1_000_000_000),
  minutes: z.coerce.number().int().min(1).max(1_440),
  project: z.string().max(100).optional(),
  env: z.string().min(1).max(200).optional(),
})

/** Null if the URL names no number, or one that a rule can't watch. */
export function readNewMetric(
  raw: Record<string, unknown>,
): { name: string; config: RuleConfig; project: string | undefined } | null {
  const given = params.safeParse(raw)
  const preset = metricPresets.find(({ id }) => given.success && id === given.data.metric)
  if (!given.success || preset === undefined) return null
  const { name, query, above, minutes, project, env } = given.data
  const config = ruleConfig.safeParse({
    metric: { dataset: preset.dataset, measure: preset.measure, query, windowMs: minutes * 60_000, critical: above },
    environments: env === undefined ? [] : [env],
  })
  return config.success ? { name, config: config.data, project } : null
}
