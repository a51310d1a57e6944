/** The words of a rule that nothing can match: neither a field, nor a tag or attribute that was received lately. */
import type { Viewer } from '#domain/access/viewer.ts'
import { parseAggregate } from '#domain/explore/aggregate.ts'
import { type Dataset, findDataset, findField } from '#domain/explore/datasets.ts'
import { exploreLanguage } from '#domain/explore/parse-conditions.ts'
import { listTagNames } from '#domain/issues/list-search-values.ts'
import { nearestField, nearestName } from '#search/nearest-field.ts'
import { parseSearch } from '#search/parse-search.ts'
import { type FieldTable, fieldKind, issueFields, tagName } from '#search/search-fields.ts'
import { fieldsOf } from '#search/search-term.ts'
import type { Metric } from './metric.ts'
import { projectsOf, type RuleConfig } from './rule.ts'

export type UnknownKey = { in: 'filter' | 'query'; key: string; message: string }

const days = 30
const dayMs = 86_400_000

/** Words that need a look at what was received. */
type Asked = { in: UnknownKey['in']; key: string; of: 'issues' | 'spans' | 'logs'; table: FieldTable }

/** Lists the tags and attributes that a rule uses, by name. */
export function listTagKeys({ filter, metric }: Pick<RuleConfig, 'filter' | 'metric'>): Asked[] {
  const parsed = parseSearch(filter)
  const ofFilter = fieldsOf(parsed.terms).flatMap(({ key, values }): Asked[] => {
    const name = key === 'has' ? (values[0]?.parts[0] ?? '') : key
    const isTag = fieldKind(name, issueFields) === 'tag' && !(key === 'has' && isPresence(name))
    return isTag ? [{ in: 'filter', key: tagName(name), of: 'issues', table: issueFields }] : []
  })
  return unique([...ofFilter, ...(metric === null ? [] : keysOfMetric(metric))])
}

const isPresence = (name: string): boolean => /^(?:user|replay|trace|profile)$/.test(name)

function keysOfMetric({ dataset: name, query, measure }: Metric): Asked[] {
  const dataset = findDataset(name)
  if ('ok' in dataset) return []
  const { listed } = dataset
  const ask = (key: string): Asked => ({ in: 'query', key, of: tableOf(dataset), table: listed.table })
  const words = fieldsOf(parseSearch(query, exploreLanguage).terms).flatMap(({ key, values }) =>
    key === 'has' ? (values[0]?.parts[0] ?? '') : key,
  )
  const keys = words.flatMap(word => {
    if (isPresence(word) || parseAggregate(word, dataset) !== null) return []
    const reference = findField(word, dataset)
    const isListed = fieldKind(word, listed.table) !== listed.table.other
    return !('ok' in reference) && reference.kind === 'tag' && !isListed ? [ask(reference.key)] : []
  })
  const measured = parseAggregate(measure, dataset)
  const of = measured !== null && 'of' in measured && measured.of.kind === 'tag' ? [ask(measured.of.key)] : []
  // Vitals are attributes, but the product knows them.
  return [...keys, ...of.filter(({ key }) => !key.startsWith('browser.web_vital.'))]
}

const tableOf = ({ table }: Dataset): Asked['of'] => (table === 'events' ? 'issues' : table)

const unique = (asked: readonly Asked[]): Asked[] => [
  ...new Map(asked.map(each => [`${each.in} ${each.of} ${each.key}`, each])).values(),
]

/** Reads what was received only for a rule that asks for tags. */
export async function findUnknownKeys(
  viewer: Viewer,
  {
    config,
    projectId,
  }: { config: Pick<RuleConfig, 'filter' | 'metric' | 'followsSettings'>; projectId: number | null },
): Promise<UnknownKey[]> {
  const asked = listTagKeys(config)
  const projectIds = projectsOf({ projectId, config }, viewer.projects)
  const unknown: UnknownKey[] = []
  for (const of of new Set(asked.map(each => each.of))) {
    const found = await listTagNames(viewer, of, { projectIds, rangeMs: days * dayMs, isWhole: true }).catch(() => null)
    if (found === null) continue // what could not be read may exist
    const names = found.map(({ value }) => value)
    for (const each of asked)
      if (each.of === of && !names.includes(each.key))
        unknown.push({ in: each.in, key: each.key, message: describe(each, names) })
  }
  return unknown
}

/** Nothing has this key, so a word of three letters was not meant either. */
const shortest = 3
const nouns = { issues: 'event', spans: 'span', logs: 'log line' }

function describe({ key, of, table }: Asked, names: readonly string[]): string {
  const noun = of === 'issues' ? 'tag' : 'attribute'
  const near = nearestField(key, table, shortest) ?? nearestName(key, names, shortest)
  const meant = near === null ? '' : ` Did you mean ${near}?`
  return `No ${nouns[of]} in the last ${days} days has the ${noun} ${key}.${meant}`
}
