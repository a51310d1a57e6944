import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { type Bind, boundParams } from '#domain/events/event-condition.ts'
import { cellSql } from '#domain/events/log-term.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { severityWords } from '#search/search-fields.ts'
import { leavesOf, type SearchTerm } from '#search/search-term.ts'
import { hourlyLines, hourlySteps, isCountedByHour } from './hourly-counts.ts'
import { type LogFilter, type LogRange, logRange, logScope } from './log-condition.ts'

/** The fields that a reader narrows by most; attributes are added by name. */
export const facetKeys = ['level', 'side', 'route', 'release', 'server_name', 'environment'] as const

const steps = 60
const maxValues = 8 // per facet; the search box finds the others

export type Facet = {
  key: string
  /** The most frequent first. '' is the lines without one. */
  values: { value: string; count: number }[]
  /** How many values there are. */
  distinct: number
}

export type LogCounts = {
  /** Where the first step begins, up to an hour before the range. */
  from: number
  to: number
  stepMs: number
  total: number
  /** Lines per step, oldest first, of each level that occurs; the most severe last. */
  levels: { level: string; counts: number[] }[]
  facets: Facet[]
}

const row = z.object({
  which: z.coerce.number(),
  step: z.coerce.number(),
  values: z.array(z.string()),
  lines: z.coerce.number(),
  distinct: z.coerce.number(),
})
type Row = z.output<typeof row>

/**
 * Lines over time by level, and how the matching lines are spread over the values of each facet. The counts of a facet ignore what the
 * search says about it, so that its other values can be chosen; everything that the search leaves alone is counted in one pass.
 */
export async function countLogs(
  viewer: Viewer,
  filter: LogFilter,
  keys: readonly string[] = facetKeys,
): Promise<LogCounts> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const range = logRange(viewer, filter)
  const isByHour = isCountedByHour(terms, keys, range)
  const { from, stepMs } = isByHour ? hourlySteps(range) : evenSteps(range)
  const isTerm = (term: SearchTerm, key: string): boolean => term.kind === 'field' && term.key === key
  const own = keys.filter(key => terms.some(term => isTerm(term, key)))
  const count = async (given: readonly SearchTerm[], sets: Sets): Promise<Row[]> => {
    const { params, bind } = boundParams()
    const wanted = { ...filter, terms: given }
    const lines = isByHour ? hourlyLines(wanted, range, bind) : `logs WHERE ${logScope(wanted, range, bind)}`
    const query = countSql(sets, lines, { from, stepMs }, bind)
    return viewer.telemetry.within(filter.projectIds).query({ query, params, schema: row })
  }
  // The levels over time tell the facet of the levels.
  const free = keys.filter(key => !own.includes(key) && key !== 'level')
  const [whole = [], ...rest] = await Promise.all([
    count(terms, { isOverTime: true, keys: free }),
    ...own.map(key =>
      count(
        terms.filter(term => !isTerm(term, key)),
        { isOverTime: false, keys: [key] },
      ),
    ),
  ])
  const levels = levelsOf(whole, Math.ceil((range.to - from) / stepMs))
  const facets = [
    ...(keys.includes('level') && !own.includes('level') ? [levelFacet(levels)] : []),
    ...free.map((key, index) => facetOf(key, whole, maskOf(free.length + 2, [index + 2]))),
    ...own.map((key, index) => facetOf(key, rest[index] ?? [], 0)),
  ]
  return {
    from,
    to: range.to,
    stepMs,
    levels,
    total: levels.reduce((sum, { counts }) => sum + sumOf(counts), 0),
    facets: keys.flatMap(key => facets.find(facet => facet.key === key) ?? []),
  }
}

const evenSteps = ({ from, to }: LogRange) => ({ from, stepMs: Math.max(1, Math.ceil((to - from) / steps)) })

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

type Sets = { isOverTime: boolean; keys: readonly string[] }

/** What `grouping(step, lv, k0, k1, …)` gives for a set of these columns, by index: a bit for each column that is not in it. */
const maskOf = (columnCount: number, set: readonly number[]): number =>
  set.reduce((mask, column) => mask - 2 ** (columnCount - 1 - column), 2 ** columnCount - 1)

/** `lines` is what follows FROM. The engine reads it once for all sets. */
function countSql(
  { isOverTime, keys }: Sets,
  lines: string,
  { from, stepMs }: { from: number; stepMs: number },
  bind: Bind,
): string {
  const step = `intDiv(toUnixTimestamp64Milli(timestamp) - ${bind(from, 'Int64')}, ${bind(stepMs, 'Int64')})`
  const names = keys.map((_, index) => `k${index}`)
  const columns = isOverTime ? ['step', 'lv', ...names] : names
  const sets = [...(isOverTime ? ['(step, lv)'] : []), ...names.map(name => `(${name})`)]
  return `
    SELECT which, ${isOverTime ? 'step' : '0 AS step'}, [${columns.filter(name => name !== 'step').join(', ')}] AS values, lines,
      count() OVER (PARTITION BY which) AS distinct
    FROM (
      SELECT ${isOverTime ? `${step} AS step, toString(level) AS lv,` : ''}
        ${keys.map((key, index) => `${cellSql(key, bind)} AS k${index},`).join(' ')}
        grouping(${columns.join(', ')}) AS which, sum(weight) AS lines
      FROM ${lines}
      GROUP BY GROUPING SETS (${sets.join(', ')})
    )
    ORDER BY which, lines DESC, values
    LIMIT ${2 * steps * severityWords.length} BY which
    LIMIT 10000`
}

function facetOf(key: string, rows: readonly Row[], mask: number): Facet {
  const own = rows.filter(({ which }) => which === mask)
  const values = own.slice(0, maxValues).map(each => ({
    value: each.values.find(value => value !== '') ?? '',
    count: Math.round(each.lines),
  }))
  return { key, values, distinct: own[0]?.distinct ?? 0 }
}

function levelFacet(levels: LogCounts['levels']): Facet {
  const values = levels.map(({ level, counts }) => ({ value: level, count: sumOf(counts) })).reverse()
  return { key: 'level', values, distinct: values.length }
}

function levelsOf(rows: readonly Row[], count: number): LogCounts['levels'] {
  const byLevel = new Map<string, number[]>()
  for (const { which, step, values, lines } of rows) {
    if (which !== maskOf(values.length + 1, [0, 1])) continue
    const counts = byLevel.get(values[0] ?? '') ?? new Array<number>(count).fill(0)
    counts[Math.min(step, count - 1)] = Math.round(lines)
    byLevel.set(values[0] ?? '', counts)
  }
  return severityWords.flatMap(level => {
    const counts = byLevel.get(level)
    return counts ? [{ level, counts }] : []
  })
}

/** Whether a search says anything: an empty list of a plain search means that there are no logs at all. */
export const isNarrowed = ({ terms, environment }: Pick<LogFilter, 'terms' | 'environment'>): boolean =>
  leavesOf(terms).length > 0 || environment !== undefined
