/** A word of a search means the same in a list, in the number of a rule and in the API: each counts the same rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measureAt } from '#domain/alerts/measure.ts'
import { type Metric, metricSchema } from '#domain/alerts/metric.ts'
import { metricPresets } from '#domain/alerts/metric-words.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { findUnknownKeys } from '#domain/alerts/unknown-keys.ts'
import { explore } from '#domain/explore/explore.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { countLogs } from '#domain/logs/count-logs.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { type FieldTable, fieldKey, issueFields } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { spanFields } from '#search/span-fields.ts'
import { type Acme, openAcme } from './open-acme.ts'
import { hourMs, notOfRows, now, sowTwoGroups, wordsOfGold } from './two-groups.ts'

let acme: Acme

beforeAll(async () => {
  acme = await openAcme(now)
  await sowTwoGroups(acme)
})
afterAll(() => acme?.stop())

type Counted = Record<'list' | 'rule' | 'api', number | string>

async function count(dataset: Metric['dataset'], query: string): Promise<Counted> {
  const { viewer } = acme
  const metric = metricSchema.parse({ dataset, measure: 'count()', query, windowMs: hourMs, critical: 0 })
  const watched = { metric, projectIds: undefined, environments: [] }
  const range = { from: now - hourMs, to: now + 1 }
  const found = await explore(viewer, { dataset, fields: ['count()'], query, sort: [] }, range, { limit: 1, offset: 0 })
  const point = await measureAt(viewer, watched, now)
  return {
    list: await listed[dataset](query),
    rule: point?.value ?? 'not measured',
    api: found.ok ? Number(found.rows[0]?.['count()']) : found.message,
  }
}

const read = (query: string, table: FieldTable) => {
  const parsed = parseSearch(query, languageOf(table))
  if (!parsed.ok) throw new Error(`${query}: ${JSON.stringify(parsed.faults)}`)
  return { terms: parsed.terms, rangeMs: hourMs }
}
const listed: Record<Metric['dataset'], (query: string) => Promise<number>> = {
  errors: async query => {
    const { issues } = await listIssues(acme.viewer, { ...read(query, issueFields), sort: 'events' })
    return issues.reduce((sum, { events }) => sum + events, 0)
  },
  spans: async query => (await measureSpans(acme.viewer, { ...read(query, spanFields), sort: 'newest' })).whole.count,
  logs: async query => (await countLogs(acme.viewer, read(query, logFields), [])).total,
}

const tables = { errors: issueFields, spans: spanFields, logs: logFields }

describe.each(['errors', 'spans', 'logs'] as const)('of %s', dataset => {
  const table: FieldTable = tables[dataset]
  const known = wordsOfGold[dataset]
  const three: Counted = { list: 3, rule: 3, api: 3 }
  const two: Counted = { list: 2, rule: 2, api: 2 }

  test('every documented field finds the same rows in a list, a rule and the API', async () => {
    expect(Object.keys(table.fields).toSorted()).toEqual([...Object.keys(known), ...notOfRows[dataset]].toSorted())
    for (const [key, each] of Object.entries(known))
      for (const value of each) {
        const query = `${key}:${value}`
        expect([query, await count(dataset, query)]).toEqual([query, three])
      }
  })

  test('without a documented field, it is the other rows', async () => {
    const without = Object.entries(known).flatMap(([key, values]) =>
      values.filter(value => !/^-5s|^>/.test(value)).map(value => `!${key}:${value}`),
    )
    expect(without.length).toBeGreaterThan(20)
    // All of them find two rows, and so does any of them: each finds these two.
    for (let at = 0; at < without.length; at += 10)
      for (const query of [' ', ' OR '].map(between => without.slice(at, at + 10).join(between)))
        expect([query, await count(dataset, query)]).toEqual([query, two])
  })

  test('so does every other spelling of it', async () => {
    const spellings = [
      ...Object.keys(table.aliases ?? {}).map(alias => [alias, fieldKey(alias, table)] as const),
      ...Object.keys(known).map(key => [key.toUpperCase(), key] as const),
    ]
    const queries = spellings.flatMap(([spelling, key]) => {
      const [value] = known[key] ?? []
      // By its number it is another word.
      return value === undefined || key === 'has' || spelling === 'issue.id' ? [] : [`${spelling}:${value}`]
    })
    expect(queries.length).toBeGreaterThan(20)
    // The rows of one group have all of these words, and those of the other none: a word that finds too few or too many shows in the sum.
    for (let at = 0; at < queries.length; at += 20) {
      const some = queries.slice(at, at + 20)
      const none = some.filter(query => !/:(-5s|>)/.test(query)).map(query => `!${query}`)
      expect([some, await count(dataset, some.join(' '))]).toEqual([some, three])
      expect([none, await count(dataset, none.join(' '))]).toEqual([none, two])
    }
  })

  test('tags, attributes, free text and groups, too', async () => {
    const queries = [
      ...[
        'plan:gold',
        'tags[plan]:gold',
        'plan:[gold,silver]',
        'plan:go*',
        'gold',
        '"gold"',
        'plan:gold OR plan:silver',
      ],
      ...['(plan:gold release:latest)', '!(plan:plain OR release:plain@1)', 'project:web plan:gold'],
      ...(dataset === 'errors'
        ? []
        : [
            'user.ip_address:1.1.1.1',
            'user.ip_address:"::ffff:101:101"',
            'rows:70',
            'rows:>60',
            '!rows:<10 plan:gold',
          ]),
    ]
    for (const query of queries) expect([query, await count(dataset, query)]).toEqual([query, three])
  })
})

test('what is about an issue as a whole is refused where single events are counted', async () => {
  for (const query of ['is:unresolved', 'assigned:me']) {
    const { rule, api } = await count('errors', query)
    expect([rule, api]).toEqual(['not measured', expect.stringContaining('is about issues')])
  }
})

test('Sentry’s own words mean to its tools what they mean there', async () => {
  const api = async (dataset: Metric['dataset'], query: string) => (await count(dataset, query).catch(() => null))?.api
  // A browser with its version, states that a list doesn't know, and a tag that no event has.
  const words: [Metric['dataset'], string, number][] = [
    ['errors', 'browser:"gold browser gold.1"', 3],
    ['errors', 'event.type:error', 5],
    ['errors', 'nosuchtag:1', 0],
    ['spans', 'span.duration:>1s span.op:gold.op is_transaction:true', 3],
    ['logs', 'severity_number:>10', 3],
  ]
  const asked = (dataset: Metric['dataset'], query: string) =>
    explore(
      acme.viewer,
      { dataset, fields: ['count()'], query, sort: [] },
      { from: now - hourMs, to: now + 1 },
      { limit: 1, offset: 0 },
    )
  for (const [dataset, query, expected] of words) {
    const found = await asked(dataset, query)
    expect([query, found.ok && found.rows[0]?.['count()']]).toEqual([query, expected])
  }
  const lenient = await asked('spans', 'span.status:internal_error')
  expect(lenient.ok && lenient.rows[0]?.['count()']).toBe(0)
  expect(await api('errors', 'type:goldError')).toBe(3)
})

test('a rule may ask for fields, and for tags that were received in the last 30 days', async () => {
  const asked = async (filter: string, metric: object | null) => {
    const config = ruleConfig.parse({ filter, metric: metric && { windowMs: hourMs, critical: 0, ...metric } })
    const unknown = await findUnknownKeys(acme.viewer, { config, projectId: null })
    return unknown.map(each => `${each.in}: ${each.message}`)
  }
  for (const [dataset, words] of Object.entries(wordsOfGold)) {
    const query = Object.entries(words)
      .map(([key, [value]]) => `${key}:${value}`)
      .join(' ')
    expect([dataset, await asked('', { dataset, measure: 'count()', query })]).toEqual([dataset, []])
  }
  const known = Object.keys(issueFields.aliases ?? {}).map(alias => `${alias}:x`)
  for (const filter of ['level:error plan:gold', 'has:user has:only-gold', '"free text" !release:latest', ...known])
    expect([filter, await asked(filter, null)]).toEqual([filter, []])
  expect(await asked('is:unresolved pln:gold nothing-like-it:1', null)).toEqual([
    'filter: No event in the last 30 days has the tag pln. Did you mean plan?',
    'filter: No event in the last 30 days has the tag nothing-like-it.',
  ])
  const spans = { dataset: 'spans', measure: 'p95(span.duration)' }
  expect(await asked('', { ...spans, query: 'duratoin:>1s n-gold:1 (rowz:7 OR tags[only-gold]:1)' })).toEqual([
    'query: No span in the last 30 days has the attribute duratoin. Did you mean duration?',
    'query: No span in the last 30 days has the attribute rowz. Did you mean rows?',
  ])
  expect(await asked('', { dataset: 'errors', measure: 'count()', query: 'typ:x tags[typ]:y' })).toEqual([
    'query: No event in the last 30 days has the tag typ. Did you mean type?',
  ])
  expect(await asked('', { ...spans, measure: 'avg(rowz)' })).toEqual([
    'query: No span in the last 30 days has the attribute rowz. Did you mean rows?',
  ])
  for (const { dataset, measure } of metricPresets) expect(await asked('', { dataset, measure })).toEqual([])
})

test('a column can be named as in lists, too', async () => {
  const columns = async (dataset: Metric['dataset'], fields: string[]) => {
    const range = { from: now - hourMs, to: now + 1 }
    const found = await explore(acme.viewer, { dataset, fields, query: 'plan:gold', sort: [] }, range, {
      limit: 1,
      offset: 0,
    })
    return found.ok ? found.rows[0] : found.message
  }
  expect(await columns('errors', ['type', 'count()'])).toEqual({ type: 'goldError', 'count()': 3 })
  const spans = [
    'op',
    'status',
    'name',
    'http.status',
    'method',
    'segment',
    'origin',
    'side',
    'p95(duration)',
    'count()',
  ]
  expect(await columns('spans', spans)).toMatchObject({
    op: 'gold.op',
    status: 'error',
    side: 'server',
    'p95(duration)': 2_000,
  })
  expect(await columns('logs', ['span', 'template', 'side', 'count()'])).toMatchObject({
    span: '000000000000000a',
    side: 'edge',
  })
})
