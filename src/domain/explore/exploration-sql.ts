import { type Bind, boundParams, eventCount, userCount } from '#domain/events/event-condition.ts'
import { issueStatesSql, type PendingStates } from '#domain/issues/mirror/pending-states.ts'
import { isNoFeedbackSql } from '#lib/event-kind.ts'
import type { Comparison } from '#search/search-term.ts'
import type { Aggregate } from './aggregate.ts'
import { clauseSql, numberSql, shownSql, valueSql } from './condition-sql.ts'
import type { Dataset } from './datasets.ts'
import type { Reference } from './field.ts'
import { conditionsOf, type GroupCondition } from './parse-conditions.ts'
import type { Column, Plan } from './plan-exploration.ts'

/** The rows that a query reads, of the projects that it is sent for. */
export type ExploreScope = {
  /** All of the viewer's projects, to look up slugs. */
  projects: readonly { id: number; slug: string }[]
  environments: readonly string[]
  hashes?: readonly string[] | undefined
  from: number
  to: number
  /** Also by the time of receipt, without those that were received so long after they happened. */
  received?: { from: number; to: number; lateMs: number } | undefined
}

export type Writing = { plan: Plan; scope: ExploreScope; bind: Bind; now: number; pending: PendingStates }
type Page = { limit: number; offset: number; after?: RowKey | undefined; now: number; pending: PendingStates }

/** Where a page ended: what its last row is sorted by, null if it lacks that, and its id. Rows that arrive later move no key. */
export type RowKey = { key: number | null; id: string }

/** Columns are named c0, c1 … because tag names must not get into the SQL. */
export function explorationSql(plan: Plan, scope: ExploreScope, page: Page) {
  const { params, bind } = boundParams()
  const writing: Writing = { plan, scope, bind, now: page.now, pending: page.pending }
  const select = plan.columns.map((column, index) => `${columnSql(column, writing)} AS c${index}`)
  const groups = plan.isAggregate
    ? plan.columns.flatMap((column, index) => (column.kind === 'reference' ? [`c${index}`] : []))
    : []
  const having = plan.conditions.having.map(each => havingSql(each, writing))
  const order = keyOrder(writing)
  if (order !== null) select.push(`${order.key} AS row_key`, `toString(${order.id}) AS row_id`)
  const query = `
    SELECT ${select.join(',\n      ')}
    ${fromSql(writing)}
    ${order !== null && page.after ? `AND ${afterSql(order, page.after, writing)}` : ''}
    ${groups.length > 0 ? `GROUP BY ${groups.join(', ')}` : ''}
    ${having.length > 0 ? `HAVING ${having.join(' AND ')}` : ''}
    ORDER BY ${orderSql(writing, groups)}
    LIMIT ${bind(page.limit, 'UInt32')} OFFSET ${bind(page.offset, 'UInt32')}`
  return { query, params: { ...params, ...projectParams(scope) } }
}

/** Parameters for the project fields. */
export const projectParams = ({ projects }: ExploreScope) => ({
  projectIds: projects.map(({ id }) => id),
  projectSlugs: projects.map(({ slug }) => slug),
})

export function columnSql(column: Column, { plan: { dataset }, bind, scope, now }: Writing): string {
  if (column.kind === 'reference') return shownSql(column.reference, dataset, bind)
  return aggregateSql(column.aggregate, { dataset, bind, now, rangeMs: scope.to - scope.from })
}

/** FROM and WHERE, joined with issue states if a field needs them. */
export function fromSql({ plan, scope, bind, now, pending }: Writing): string {
  const { dataset, conditions } = plan
  const where = [
    '{scope}',
    ...(scope.hashes && dataset.table === 'events' ? [`group_hash IN ${bind(scope.hashes, 'Array(String)')}`] : []),
    `timestamp >= fromUnixTimestamp64Milli(${bind(scope.from, 'Int64')})`,
    `timestamp < fromUnixTimestamp64Milli(${bind(scope.to, 'Int64')})`,
    ...(scope.received ? receivedSql(scope.received, bind) : []),
    ...(scope.environments.length > 0 ? [`environment IN ${bind(scope.environments, 'Array(String)')}`] : []),
    // The events of an issue are its own, whatever its kind.
    ...(dataset.table === 'events' && !scope.hashes ? [isNoFeedbackSql] : []),
    dataset.only,
    clauseSql(conditions.where, { dataset, bind, now }),
  ].filter(condition => condition !== '')
  if (!isAboutIssues(plan)) return `FROM ${dataset.table} WHERE ${where.join(' AND ')}`
  const states = issueStatesSql(pending, bind, { columns: ['project_id', 'group_hash', 'issue_id', 'number'] })
  return `FROM ${dataset.table} GLOBAL ANY LEFT JOIN (${states}) AS states USING (project_id, group_hash)
    WHERE ${where.join(' AND ')}`
}

const receivedSql = ({ from, to, lateMs }: NonNullable<ExploreScope['received']>, bind: Bind): string[] => [
  `received_at >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
  `received_at < fromUnixTimestamp64Milli(${bind(to, 'Int64')})`,
  `timestamp >= received_at - toIntervalMillisecond(${bind(lateMs, 'Int64')})`,
]

/** Whether a column, a condition or the order needs the mirror of issue states. */
export function isAboutIssues({ columns, conditions, sort }: Plan): boolean {
  const references = [
    ...[...columns, ...sort.map(key => key.column)].flatMap(referencesOf),
    ...conditionsOf(conditions.where).flatMap(each => ('reference' in each ? [each.reference] : [])),
  ]
  return references.some(isOfIssue)
}

function referencesOf(column: Column): Reference[] {
  if (column.kind === 'reference') return [column.reference]
  return 'of' in column.aggregate ? [column.aggregate.of] : []
}

const isOfIssue = (reference: Reference) => reference.kind === 'field' && reference.field.isOfIssue === true

export function havingSql({ aggregate, comparison, value, isNegated }: GroupCondition, writing: Writing): string {
  const { plan, bind, scope, now } = writing
  const sql = aggregateSql(aggregate, { dataset: plan.dataset, bind, now, rangeMs: scope.to - scope.from })
  return `${isNegated ? 'NOT ' : ''}(${sql} ${comparison} ${bind(value, 'Float64')})`
}

/** Newest or largest first by default. Ties are broken by id, so that pages are stable. */
function orderSql(writing: Writing, groups: string[]): string {
  const { plan } = writing
  const keys = plan.sort.map(({ column, isDescending }) => {
    const index = plan.columns.indexOf(column)
    return `${index >= 0 ? `c${index}` : columnSql(column, writing)} ${isDescending ? 'DESC' : 'ASC'}`
  })
  const first = plan.columns.findIndex(column => column.kind === 'aggregate')
  const usual = plan.isAggregate ? `c${first} DESC` : 'timestamp DESC'
  const ties = plan.isAggregate ? groups : [idColumn[plan.dataset.table]]
  return [...(keys.length > 0 ? keys : [usual]), ...ties].join(', ')
}

type KeyOrder = { key: string; isDescending: boolean; id: string }

/** Whether pages of the query begin after a row: rows in the order of one number or time. Others begin at a position. */
export const isKeyed = ({ isAggregate, sort }: Plan): boolean =>
  !isAggregate && sort.length < 2 && sort.every(({ column }) => !['string', 'boolean'].includes(column.type))

function keyOrder(writing: Writing): KeyOrder | null {
  const { plan } = writing
  if (!isKeyed(plan)) return null
  const [first] = plan.sort
  const sql = first === undefined ? 'toUnixTimestamp64Micro(timestamp)' : columnSql(first.column, writing)
  // As JavaScript reads it, so that a row equals its own key.
  return { key: `toFloat64(${sql})`, isDescending: first?.isDescending ?? true, id: idColumn[plan.dataset.table] }
}

/** Rows without a key are the last in either direction. */
function afterSql({ key, isDescending, id }: KeyOrder, after: RowKey, { plan, bind }: Writing): string {
  const isLater =
    plan.dataset.table === 'spans'
      ? `${id} > ${bind(after.id, 'UInt64')}`
      : `${id} > toUUIDOrZero(${bind(after.id, 'String')})`
  if (after.key === null) return `(isNull(${key}) AND ${isLater})`
  const bound = bind(after.key, 'Float64')
  return `(${key} ${isDescending ? '<' : '>'} ${bound} OR (${key} = ${bound} AND ${isLater}) OR isNull(${key}))`
}

/** How many rows have what a function measures, by weight. */
export function measuredRowsSql(aggregate: Aggregate, { plan: { dataset }, bind, now, scope }: Writing): string {
  const isOfNumbers = 'of' in aggregate && aggregate.kind !== 'unique' && aggregate.kind !== 'countIf'
  if (!isOfNumbers || isDate(aggregate.of))
    return aggregateSql({ kind: 'count' }, { dataset, bind, now, rangeMs: scope.to - scope.from })
  return `sumIf(weight, isNotNull(${numberSql(aggregate.of, dataset, bind)}))`
}

const isDate = (of: Reference): boolean => of.kind === 'field' && of.field.type === 'date'

const idColumn = { events: 'event_id', spans: 'span_id', logs: 'log_id' } as const

/** Quantiles need integer weights: this keeps two decimals of a sampled row's weight. */
const wholeWeight = 'toUInt64(round(weight * 100))'

function aggregateSql(
  aggregate: Aggregate,
  writing: { dataset: Dataset; bind: Bind; now: number; rangeMs: number },
): string {
  const { dataset, bind, rangeMs } = writing
  switch (aggregate.kind) {
    case 'count':
      return dataset.table === 'events' ? `round(${eventCount})` : 'round(sum(weight))'
    case 'unique':
      if (aggregate.of.name === 'user')
        return dataset.table === 'events' ? userCount : 'uniqIf(user_hash, user_hash != 0)'
      return `uniq(nullIf(toString(${shownSql(aggregate.of, dataset, bind)}), ''))`
    case 'quantile':
      return `quantileTDigestWeighted(${aggregate.level})(${numberSql(aggregate.of, dataset, bind)}, ${wholeWeight})`
    case 'avg':
      return `avgWeighted(${numberSql(aggregate.of, dataset, bind)}, weight)`
    case 'sum':
      return `sum(${numberSql(aggregate.of, dataset, bind)} * weight)`
    case 'min':
    case 'max':
      return `${aggregate.kind}(${isDate(aggregate.of) ? shownSql(aggregate.of, dataset, bind) : numberSql(aggregate.of, dataset, bind)})`
    case 'rate':
      return `sum(weight) * ${bind((aggregate.seconds * 1_000) / rangeMs, 'Float64')}`
    case 'failures':
      return `round(sumIf(weight, ${dataset.failed}))`
    case 'failureRate':
      return `if(sum(weight) = 0, NULL, sumIf(weight, ${dataset.failed}) / sum(weight))`
    case 'countIf': {
      const isNegated = aggregate.operator === '!='
      const comparison = (isNegated ? '=' : aggregate.operator) as Comparison
      const claim = valueSql(aggregate.of, comparison, aggregate.value, writing)
      return `round(sumIf(weight, ${isNegated ? 'NOT ' : ''}${claim}))`
    }
    case 'lastSeen':
      return 'toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3))'
    case 'firstSeen':
      return 'toUnixTimestamp64Milli(toDateTime64(min(timestamp), 3))'
  }
}
