/** Alert rules in the shapes of Sentry's API: workflows are about issues; alert rules, and for newer tools detectors, about numbers. */
import type { Viewer } from '#domain/access/viewer.ts'
import { type ListedRule, listRules } from '#domain/alerts/list-rules.ts'
import type { Metric } from '#domain/alerts/metric.ts'
import { measuredProjects } from '#domain/alerts/rule.ts'
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

/** Newest first, as tools ask for it; otherwise by name. */
const sorted = (rules: readonly ListedRule[], search: URLSearchParams): ListedRule[] =>
  search.get('sortBy') === '-id' ? rules.toSorted((a, b) => b.id - a.id) : [...rules]

const iso = (at: number): string => new Date(at).toISOString()
const ownerOf = ({ ownerUserId }: ListedRule): string | null => (ownerUserId === null ? null : `user:${ownerUserId}`)

export const getWorkflows: ApiHandler = async ({ request, search, viewer }) => {
  const page = readPage(search)
  const found = choose((await listRules(viewer)).filter(isAboutIssues), {
    name: readNameQuery(search.get('query') ?? ''),
    id: search.get('id') ?? '',
    projects: search.getAll('projectSlug'),
  })
  const shown = sorted(found, search).slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(request, page, shown.map(serializeWorkflow))
}

/** What triggers it, its filter and its actions stand in groups for the newer tools, and in plain lists for the older ones. */
function serializeWorkflow(rule: ListedRule) {
  const { config } = rule
  const isOn = rule.isOn && rule.snoozedUntil === null
  const conditions = [
    ...config.when.map(type => ({ type, comparison: true })),
    ...config.counts.map(({ of, above, withinMs, percentMore }) => ({
      type: `${of}_count`,
      comparison: { value: above, interval: `${withinMs / minuteMs}m`, percent_more: percentMore },
    })),
  ]
  const filters = config.filter === '' ? [] : [{ type: 'search', comparison: config.filter }]
  const actions = rule.channels.map(({ id, kind, name }) => ({
    id: String(id),
    type: kind,
    config: { targetDisplay: name },
  }))
  const frequency = config.atMostEveryMs / minuteMs
  return {
    id: String(rule.id),
    name: rule.name,
    enabled: isOn,
    status: isOn ? 'active' : 'disabled',
    // Tools leave out workflows that no detector feeds; here the issues of a project do.
    detectorIds: [rule.projectId === null ? 'all' : String(rule.projectId)],
    environment: config.environments[0] ?? null,
    config: { frequency },
    frequency,
    actionMatch: 'any',
    filterMatch: 'all',
    conditions,
    filters,
    actions,
    triggers: { logicType: 'any-short', conditions },
    actionFilters: [{ logicType: 'all', conditions: filters, actions }],
    owner: ownerOf(rule),
    dateCreated: iso(rule.createdAt),
    dateUpdated: iso(rule.updatedAt),
    lastTriggered: rule.lastAt === null ? null : iso(rule.lastAt),
  }
}

export const getAlertRules: ApiHandler = async ({ request, search, viewer }) => {
  const page = readPage(search)
  const found = choose(await listRules(viewer), {
    name: (search.get('name') ?? '').slice(0, 200),
    id: '',
    projects: search.getAll('project'),
  })
  const rules = found.flatMap(rule => serializeMetricRule(viewer, rule) ?? [])
  return pageResponse(request, page, rules.slice(page.offset, page.offset + page.limit + 1))
}

export const getAlertRule: ApiHandler<'rule'> = async ({ viewer, params }) => {
  const [rule] = choose(await listRules(viewer), { name: '', id: params.rule, projects: [] })
  const serialized = rule && serializeMetricRule(viewer, rule)
  return serialized ? Response.json(serialized) : apiNotFound()
}

/** Null for a rule without a number. */
function serializeMetricRule(viewer: Viewer, rule: ListedRule) {
  const { metric, environments } = rule.config
  if (metric === null) return null
  const ids = new Set(measuredProjects(rule, viewer.projects))
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
    projects: viewer.projects.filter(({ id }) => ids.has(id)).map(({ slug }) => slug),
    thresholdType: metric.direction === 'above' ? 0 : 1,
    resolveThreshold: metric.resolved,
    owner: ownerOf(rule),
    dateCreated: iso(rule.createdAt),
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

/** Numbers that rules watch. Those of issues, which tools also ask for by type, are not detectors here. */
export const getDetectors: ApiHandler = async ({ request, search, viewer }) => {
  const page = readPage(search)
  const words = (search.get('query') ?? '').split(/\s+/).filter(Boolean)
  const isWanted = words.every(word => !word.startsWith('type:') || word === 'type:metric_issue')
  const name = words.filter(word => !word.startsWith('type:')).join(' ')
  const found = choose(isWanted ? await listRules(viewer) : [], {
    name: readNameQuery(name),
    id: '',
    projects: search.getAll('project'),
  })
  const detectors = sorted(found, search).flatMap(rule => serializeDetector(rule) ?? [])
  return pageResponse(request, page, detectors.slice(page.offset, page.offset + page.limit + 1))
}

export const getDetector: ApiHandler<'detector'> = async ({ viewer, params }) => {
  const [rule] = choose(await listRules(viewer), { name: '', id: params.detector, projects: [] })
  const serialized = rule && serializeDetector(rule)
  return serialized ? Response.json(serialized) : apiNotFound()
}

/** Null for a rule without a number. */
function serializeDetector(rule: ListedRule) {
  const { metric, environments } = rule.config
  if (metric === null) return null
  const { dataset, measure, query, windowMs, critical, warning, direction } = metric
  const snubaQuery = { dataset, aggregate: measure, query, timeWindow: windowMs / 1_000 }
  const condition = (comparison: number, conditionResult: number) => ({
    type: direction === 'above' ? 'gt' : 'lt',
    comparison,
    conditionResult,
  })
  return {
    id: String(rule.id),
    name: rule.name,
    type: 'metric_issue',
    enabled: rule.isOn,
    projectId: rule.projectId === null ? null : String(rule.projectId),
    owner: ownerOf(rule),
    dateCreated: iso(rule.createdAt),
    dataSources: [{ queryObj: { snubaQuery: { ...snubaQuery, environment: environments[0] ?? null } } }],
    conditionGroup: {
      logicType: 'any',
      // 75 is Sentry's number for critical, 50 for warning.
      conditions: [condition(critical, 75), ...(warning === null ? [] : [condition(warning, 50)])],
    },
  }
}
