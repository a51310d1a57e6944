/** Alert rules in the shapes of Sentry's API: workflows are about issues; alert rules, and for newer tools detectors, about numbers. */

import type { Viewer } from '#domain/access/viewer.ts'
import { type ListedRule, listRules } from '#domain/alerts/list-rules.ts'
import type { Metric } from '#domain/alerts/metric.ts'
import { noDataWaitMs } from '#domain/alerts/no-data-wait.ts'
import { measuredProjects } from '#domain/alerts/rule.ts'
import { watchStateOf } from '#domain/alerts/watch-words.ts'
import { clipText } from '#lib/text.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiError, apiNotFound } from '../api-error.ts'
import { listResponse } from '../pages.ts'

const minuteMs = 60_000

type Wanted = { name: string; id: string }

/** By id and a part of the name. */
function choose(rules: readonly ListedRule[], { name, id }: Wanted): ListedRule[] {
  return rules.filter(
    rule => (id === '' || String(rule.id) === id) && rule.name.toLowerCase().includes(name.toLowerCase()),
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

type Order = (one: ListedRule, other: ListedRule) => number
const orders: Readonly<Record<string, Order>> = {
  name: (one, other) => one.name.localeCompare(other.name, 'en'),
  '-name': (one, other) => other.name.localeCompare(one.name, 'en'),
  id: (one, other) => one.id - other.id,
  '-id': (one, other) => other.id - one.id,
}

/** `sortBy=`: by name unless tools ask for another order. */
function readOrder(search: URLSearchParams): Order | Response {
  const name = search.get('sortBy') || 'name'
  const order = Object.hasOwn(orders, name) ? orders[name] : undefined
  if (order !== undefined) return order
  const known = Object.keys(orders).join(', ')
  return apiError(400, `Rules can't be sorted by ${JSON.stringify(clipText(name, 100))}. Use one of ${known}.`)
}

const iso = (at: number): string => new Date(at).toISOString()
const ownerOf = ({ ownerUserId }: ListedRule): string | null => (ownerUserId === null ? null : `user:${ownerUserId}`)

export const getWorkflows: ApiHandler = async ({ request, search, viewer }) => {
  const order = readOrder(search)
  if (order instanceof Response) return order
  const found = choose((await listRules(viewer)).filter(isAboutIssues), {
    name: readNameQuery(search.get('query') ?? ''),
    id: search.get('id') ?? '',
  })
  return listResponse(request, search, found.toSorted(order), {
    idOf: ({ id }) => String(id),
    serialize: serializeWorkflow,
  })
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
  const found = choose(await listRules(viewer), {
    name: (search.get('name') ?? '').slice(0, 200),
    id: '',
  })
  const rules = found.flatMap(rule => serializeMetricRule(viewer, rule) ?? [])
  return listResponse(request, search, rules, { idOf: ({ id }) => id, serialize: rule => rule })
}

export const getAlertRule: ApiHandler<'rule'> = async ({ viewer, params }) => {
  const [rule] = choose(await listRules(viewer), { name: '', id: params.rule })
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
    // Ours, which Sentry does not have.
    noData: metric.noData,
    noDataMinutes: noDataWaitMs(metric) / minuteMs,
    state: rule.watch && watchStateOf(rule.watch),
    value: rule.watch?.value ?? null,
    dateEvaluated: rule.watch && iso(rule.watch.judgedAt),
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
  const order = readOrder(search)
  if (order instanceof Response) return order
  const words = (search.get('query') ?? '').split(/\s+/).filter(Boolean)
  const isWanted = words.every(word => !word.startsWith('type:') || word === 'type:metric_issue')
  const name = words.filter(word => !word.startsWith('type:')).join(' ')
  const found = choose(isWanted ? await listRules(viewer) : [], {
    name: readNameQuery(name),
    id: '',
  })
  const detectors = found.toSorted(order).flatMap(rule => serializeDetector(rule) ?? [])
  return listResponse(request, search, detectors, { idOf: ({ id }) => id, serialize: detector => detector })
}

export const getDetector: ApiHandler<'detector'> = async ({ viewer, params }) => {
  const [rule] = choose(await listRules(viewer), { name: '', id: params.detector })
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
