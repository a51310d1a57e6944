/** Alert rules in the two shapes of Sentry's API: workflows are about issues, alert rules about numbers. */
import { type ListedRule, listRules } from '#domain/alerts/list-rules.ts'
import type { Metric } from '#domain/alerts/metric.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiNotFound } from '../api-error.ts'
import { pageResponse, readPage } from '../pages.ts'

const minuteMs = 60_000

type Wanted = { name: string; id: string; projects: readonly string[] }

/** By id, project (slug or id) and a part of the name. */
function choose(rules: readonly ListedRule[], { name, id, projects }: Wanted): ListedRule[] {
  return rules.filter(
    rule =>
      (id === '' || String(rule.id) === id) &&
      rule.name.toLowerCase().includes(name.toLowerCase()) &&
      (projects.length === 0 ||
        rule.projectId === null ||
        projects.includes(rule.projectSlug) ||
        projects.includes(String(rule.projectId))),
  )
}

const isAboutIssues = ({ config }: ListedRule): boolean => config.when.length > 0 || config.counts.length > 0

/** `name:"*checkout*"`, as Sentry's MCP server writes it. */
function readNameQuery(query: string): string {
  const [, quoted, bare] = /^name:(?:"(.*)"|(.*))$/s.exec(query.trim()) ?? []
  return (quoted ?? bare ?? query)
    .replaceAll(/^\*|\*$/g, '')
    .replaceAll(/\\(["\\])/g, '$1')
    .slice(0, 200)
}

export const getWorkflows: ApiHandler = async ({ request, search, viewer }) => {
  const page = readPage(search)
  const found = choose((await listRules(viewer)).filter(isAboutIssues), {
    name: readNameQuery(search.get('query') ?? ''),
    id: search.get('id') ?? '',
    projects: search.getAll('projectSlug'),
  })
  return pageResponse(request, page, found.slice(page.offset, page.offset + page.limit + 1).map(serializeWorkflow))
}

function serializeWorkflow(rule: ListedRule) {
  const { config, channels } = rule
  return {
    id: String(rule.id),
    name: rule.name,
    enabled: rule.isOn && rule.snoozedUntil === null,
    // Tools leave out workflows that no detector feeds; here the issues of a project do.
    detectorIds: [rule.projectId === null ? 'all' : String(rule.projectId)],
    environment: config.environments[0] ?? null,
    config: { frequency: config.atMostEveryMs / minuteMs },
    triggers: {
      logicType: 'any-short',
      conditions: [
        ...config.when.map(type => ({ type, comparison: true })),
        ...config.counts.map(({ of, above, withinMs, percentMore }) => ({
          type: `${of}_count`,
          comparison: { value: above, interval: `${withinMs / minuteMs}m`, percent_more: percentMore },
        })),
      ],
    },
    actionFilters: [
      {
        logicType: 'all',
        conditions: config.filter === '' ? [] : [{ type: 'search', comparison: config.filter }],
        actions: channels.map(({ id, kind, name }) => ({
          id: String(id),
          type: kind,
          config: { targetDisplay: name },
        })),
      },
    ],
    owner: rule.ownerUserId === null ? null : `user:${rule.ownerUserId}`,
    lastTriggered: rule.lastAt === null ? null : new Date(rule.lastAt).toISOString(),
  }
}

export const getAlertRules: ApiHandler = async ({ request, search, viewer }) => {
  const page = readPage(search)
  const found = choose(await listRules(viewer), {
    name: (search.get('name') ?? '').slice(0, 200),
    id: '',
    projects: search.getAll('project'),
  })
  const rules = found.flatMap(rule => serializeMetricRule(rule) ?? [])
  return pageResponse(request, page, rules.slice(page.offset, page.offset + page.limit + 1))
}

export const getAlertRule: ApiHandler<'rule'> = async ({ viewer, params }) => {
  const [rule] = choose(await listRules(viewer), { name: '', id: params.rule, projects: [] })
  const serialized = rule && serializeMetricRule(rule)
  return serialized ? Response.json(serialized) : apiNotFound()
}

/** Null for a rule without a number. */
function serializeMetricRule(rule: ListedRule) {
  const { metric, environments } = rule.config
  if (metric === null) return null
  return {
    id: String(rule.id),
    type: 'alert_rule',
    name: rule.name,
    status: rule.isOn ? 0 : 4,
    dataset: metric.dataset,
    aggregate: metric.measure,
    query: metric.query,
    timeWindow: metric.windowMs / minuteMs,
    environment: environments[0] ?? null,
    projects: rule.projectSlug === '' ? [] : [rule.projectSlug],
    thresholdType: metric.direction === 'above' ? 0 : 1,
    resolveThreshold: metric.resolved,
    owner: rule.ownerUserId === null ? null : `user:${rule.ownerUserId}`,
    triggers: triggersOf(metric, rule),
  }
}

function triggersOf({ critical, warning }: Metric, { channels }: ListedRule) {
  const actions = channels.map(({ id, kind, name }) => ({ id: String(id), type: kind, desc: name }))
  return [
    { label: 'critical', alertThreshold: critical, actions },
    ...(warning === null ? [] : [{ label: 'warning', alertThreshold: warning, actions }]),
  ]
}
