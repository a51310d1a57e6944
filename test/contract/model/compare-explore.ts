/** Explore: aggregates, groups and series, for errors, spans and log lines. */
import { countOverTime } from '#domain/explore/count-over-time.ts'
import { explore } from '#domain/explore/explore.ts'
import { listAttributes } from '#domain/explore/list-attributes.ts'
import { countLogs } from '#domain/logs/count-logs.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import { listPatterns } from '#domain/logs/patterns/list-patterns.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import { spanFields } from '#search/span-fields.ts'
import { spansOf } from './compare-traces.ts'
import { dayMs, type ModelEvent } from './generate.ts'
import { countBy, type Model, sum, truthOf, usersOf } from './report.ts'

export async function compareExplore(model: Model): Promise<void> {
  await compareErrors(model)
  await compareSpans(model)
  const { viewer, now, logs, report } = model
  const found = await explore(
    viewer,
    { dataset: 'logs', fields: ['count()'], query: '', sort: [] },
    { from: now - 14 * dayMs, to: now + 1 },
    { limit: 1, offset: 0 },
  )
  report.same('log lines', found.ok ? found.rows[0]?.['count()'] : found, logs.length)
  await compareLogs(model)
}

/** The logs page. */
async function compareLogs({ viewer, logs, report }: Model): Promise<void> {
  const filter = { terms: [], rangeMs: 14 * dayMs }
  const { total, facets, levels } = await countLogs(viewer, filter, ['level', 'message'])
  report.same('lines of the logs page', total, logs.length)
  report.same('lines by level', sum(levels.flatMap(({ counts }) => counts)), logs.length)
  const bodies = countBy(logs, ({ body }) => body)
  report.same('messages of the logs page', facets.find(({ key }) => key === 'message')?.distinct, bodies.length)
  const { patterns, total: inPatterns } = await listPatterns(viewer, filter, null)
  report.same(
    'lines of all patterns',
    [inPatterns, sum(patterns.map(({ count }) => count))],
    [logs.length, logs.length],
  )
  report.same('trends of all patterns', sum(patterns.flatMap(({ trend }) => trend)), logs.length)
  const listed = await listLogs(viewer, filter, { limit: logs.length + 1 })
  report.same(
    'bodies of the logs page',
    listed.lines.map(({ body }) => body).sort(),
    logs.map(({ body }) => body).sort(),
  )
}

async function compareErrors({ viewer, now, events, ownOf, isWhole, report }: Model): Promise<void> {
  const { same, users } = report
  const filters = [
    { query: '', environments: [], keep: () => true },
    {
      query: 'plan:business',
      environments: ['staging'],
      keep: ({ plan, environment }: ModelEvent) => plan === 'business' && environment === 'staging',
    },
    {
      query: 'release:[shop@1.0.0,shop@1.1.0] !error.handled:true',
      environments: [],
      keep: ({ release, isHandled }: ModelEvent) =>
        (release === 'shop@1.0.0' || release === 'shop@1.1.0') && !isHandled,
    },
  ]
  for (const { query, environments, keep } of isWhole ? filters : filters.slice(0, 1))
    for (const rangeMs of [dayMs, 9 * dayMs]) {
      const filter = { from: now + 1 - rangeMs, to: now + 1, environments }
      const own = events.filter(event => keep(event) && event.at >= filter.from && event.at < filter.to)
      const what = `errors of ${query || 'all'} in ${rangeMs / dayMs} d`
      const ask = async (fields: string[]) => {
        const found = await explore(viewer, { dataset: 'errors', fields, query, sort: [] }, filter, {
          limit: 100,
          offset: 0,
        })
        return found.ok ? found.rows : []
      }
      const [whole] = await ask([
        'count()',
        'count_unique(user)',
        'failure_count()',
        'epm()',
        'last_seen()',
        'count_if(level,equals,fatal)',
      ])
      same(`count of ${what}`, whole?.['count()'], own.length)
      users(`users of ${what}`, Number(whole?.['count_unique(user)']), usersOf(own))
      same(`unhandled of ${what}`, whole?.['failure_count()'], own.filter(({ isHandled }) => !isHandled).length)
      report.near(`rate of ${what}`, Number(whole?.['epm()']), own.length / (rangeMs / 60_000), 1e-9)
      same(
        `fatal of ${what}`,
        whole?.['count_if(level,equals,fatal)'],
        own.filter(({ level }) => level === 'fatal').length,
      )
      if (own.length > 0) same(`last of ${what}`, whole?.['last_seen()'], new Date(truthOf(own).lastSeen).toISOString())
      const byIssue = await ask(['issue.id', 'count()', 'count_unique(user)'])
      const issues = [...ownOf].flatMap(([id, all]) => {
        const matching = all.filter(event => own.includes(event))
        return matching.length === 0 ? [] : [`${id}: ${matching.length} of ${usersOf(matching)}`]
      })
      const shown = byIssue.map(row => `${row['issue.id']}: ${row['count()']} of ${row['count_unique(user)']}`)
      same(`issues of ${what}`, shown.sort(), issues.sort())
      for (const [field, keyOf] of [
        ['environment', ({ environment }: ModelEvent) => environment],
        ['plan', ({ plan }: ModelEvent) => plan],
      ] as const) {
        const rows = (await ask([field, 'count()'])).map(row => [row[field], row['count()']])
        same(`${field} of ${what}`, rows, countBy(own, keyOf))
      }
      const series = await countOverTime(
        viewer,
        { dataset: 'errors', query, measures: ['count()'], groups: [], topGroups: 5, stepMs: dayMs / 4 },
        filter,
      )
      same(`series of ${what}`, series.ok ? sum(series.series[0]?.values ?? []) : series, own.length)
    }
  const keys = await listAttributes(viewer, 'errors', { from: now - 14 * dayMs, to: now + 1 }, 'plan')
  same(
    'attributes',
    keys.filter(({ isOwn }) => isOwn).map(({ key }) => key),
    ['plan'],
  )
}

async function compareSpans({ viewer, now, visits, report }: Model): Promise<void> {
  const { same, near, quantile } = report
  const rangeMs = 7 * dayMs
  const filter = { from: now + 1 - rangeMs, to: now + 1 }
  const isIn = ({ at }: { at: number }): boolean => at >= filter.from && at < filter.to
  const all = spansOf(visits).filter(isIn)
  const ask = async (dataset: string, fields: string[], query = '') => {
    const found = await explore(viewer, { dataset, fields, query, sort: [] }, filter, { limit: 100, offset: 0 })
    return found.ok ? found.rows : []
  }
  const [spans] = await ask('spans', ['count()', 'failure_rate()', 'avg(span.duration)', 'max(span.duration)'])
  same('count of spans', spans?.['count()'], all.length)
  near(
    'failure rate of spans',
    Number(spans?.['failure_rate()']),
    all.filter(({ isFailed }) => isFailed).length / all.length,
    1e-9,
  )
  near(
    'average of spans',
    Number(spans?.['avg(span.duration)']),
    sum(all.map(({ durationMs }) => durationMs)) / all.length,
    1e-6,
  )
  near(
    'longest of spans',
    Number(spans?.['max(span.duration)']),
    Math.max(...all.map(({ durationMs }) => durationMs)),
    1e-6,
  )
  same(
    'operations of spans',
    (await ask('spans', ['span.op', 'count()'])).map(row => [row['span.op'], row['count()']]),
    countBy(all, ({ op }) => op),
  )
  // The same requests on the traces page.
  const segments = all.filter(
    ({ isSegment, visit }) => isSegment && visit.kind !== 'middleware' && visit.kind !== 'prefetch',
  )
  const [transactions] = await ask('transactions', ['count()', 'p95()', 'failure_count()'])
  const { whole } = await measureSpans(viewer, {
    terms: parseSearch('is:segment', languageOf(spanFields)).terms,
    rangeMs,
    sort: 'newest',
  })
  same('count of transactions', transactions?.['count()'], segments.length)
  same('transactions and traces', transactions?.['count()'], whole.count)
  same('failed transactions and traces', transactions?.['failure_count()'], whole.failed)
  const durations = segments.map(({ durationMs }) => durationMs)
  quantile('p95 of transactions', Number(transactions?.['p95()']), 0.95, durations)
  quantile('p95 of traces', whole.p95Us / 1_000, 0.95, durations)
  const [listed] = await ask('spans', ['count()'], 'is_prefetch:false !span.op:middleware.nextjs')
  const page = await measureSpans(viewer, { terms: [], rangeMs, sort: 'newest' })
  same('spans and the traces page', listed?.['count()'], page.whole.count)
}
