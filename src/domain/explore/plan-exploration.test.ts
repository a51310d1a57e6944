import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { noPendingStates } from '#domain/issues/mirror/pending-states.ts'
import { explorationSql } from './exploration-sql.ts'
import { planExploration, type Query, readRange } from './plan-exploration.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const query = (given: Partial<Query>): Query => ({
  dataset: 'spans',
  fields: ['id'],
  query: '',
  sort: [],
  ...given,
})
const plan = (given: Partial<Query>) => {
  const planned = planExploration(query(given), now)
  if ('ok' in planned) throw new Error(planned.message)
  return planned
}
const fault = (given: Partial<Query>): string => {
  const planned = planExploration(query(given), now)
  return 'ok' in planned ? `${planned.code}: ${planned.message}` : 'nothing'
}
const scope = { projects: [{ id: 1, slug: 'web' }], environments: [], from: now - 1_000, to: now }
const sql = (given: Partial<Query>) =>
  explorationSql(plan(given), scope, { limit: 10, offset: 0, now, pending: noPendingStates })

describe('a query', () => {
  it('accepts the columns of a dataset, tags and functions', () => {
    const { columns, isAggregate } = plan({ fields: ['span.op', 'db.system', 'count()', 'p95(span.duration)'] })
    expect(columns.map(({ kind, type }) => `${kind} ${type}`)).toEqual([
      'reference string',
      'reference string',
      'aggregate integer',
      'aggregate duration',
    ])
    expect(isAggregate).toBe(true)
  })

  it('accepts the dataset names of older tools', () => {
    for (const dataset of ['spansIndexed', 'ourlogs', 'discover', 'transactions'])
      expect(fault({ dataset })).toBe('nothing')
  })

  it('sorts by the old spelling of a function', () => {
    const { sort } = plan({ fields: ['count()', 'count_unique(user.id)'], sort: ['-count_unique_user_id', 'count'] })
    expect(sort.map(({ column, isDescending }) => [column.name, isDescending])).toEqual([
      ['count_unique(user.id)', true],
      ['count()', false],
    ])
  })

  it('binds every tag name and every value', () => {
    const { query, params } = sql({ fields: ["tags[it's]"], query: `tags[my'tag]:"x' OR 1" 'free text` })
    expect(query).not.toMatch(/it's|my'tag|x' OR|free/)
    expect(Object.values(params)).toEqual(expect.arrayContaining(["it's", "x' OR 1", "%'free%", '%text%']))
  })

  it('restricts to the viewer’s projects first', () => {
    const { query } = sql({ dataset: 'errors', fields: ['issue', 'count()'], query: 'a:b OR c:d' })
    expect(query).toMatch(/WHERE \{scope\} AND timestamp >= .* AND \(\(.*\) OR \(.*\)\)/)
  })
})

describe('parentheses', () => {
  const where = (query: string) =>
    /timestamp < \S+ AND NOT is_sdk_transport(.*)\n/.exec(sql({ query }).query)?.[1]?.replace(/\{p\d+:\w+\}/g, '?')

  it('join terms by AND and OR, and negate them', () => {
    expect(where('span.op:db (span.name:a OR span.name:b)')).toBe(' AND ((op = ?) AND ((name = ?) OR (name = ?)))')
    expect(where('span.op:db AND (span.name:a OR span.name:b)')).toBe(where('span.op:db (span.name:a OR span.name:b)'))
    expect(where('!(span.op:db span.name:a)')).toContain('NOT ((')
    expect(where('')).toBe('')
  })

  it('inside of a word belong to it', () => {
    expect(fault({ query: 'span.description:now() "f(x)" count():>1', fields: ['count()'] })).toBe('nothing')
    expect(fault({ query: '(span.name:"a (b)" OR tags[c]:[d, "e)"]) has:f' })).toBe('nothing')
  })
})

describe('a fault names the wrong word', () => {
  it.each<[Partial<Query>, string]>([
    [{ dataset: 'profiles' }, 'wrong_dataset: Unknown dataset "profiles"'],
    [{ fields: [] }, 'wrong_field: Select at least one'],
    [{ fields: ['span.duraton'] }, 'wrong_field: span.duraton is not a field of spans. Use one of span.description'],
    [{ fields: ['a b'] }, 'wrong_field: "a b" is not a field'],
    [{ fields: ['median(span.duration)'] }, 'wrong_function: Unknown function median(). Use one of count'],
    [{ fields: ['p95(span.op)'] }, 'wrong_function: p95(span.op) is invalid: span.op is not a number'],
    [{ fields: ['p95()'], dataset: 'errors' }, 'wrong_function: p95() takes one numeric field'],
    [{ fields: ['count_unique()'] }, 'wrong_function: count_unique() takes one field'],
    [{ fields: ['count_if(span.op,like,x)'] }, 'wrong_function: Unknown operator like in count_if()'],
    [{ query: 'span.duration:>fast' }, 'wrong_query: "span.duration:>fast" is invalid: span.duration takes a duration'],
    [{ query: 'trace:xyz' }, 'wrong_query: "trace:xyz" is invalid: trace takes an id of 32 hex digits'],
    [{ query: 'span.op:>db' }, 'wrong_query: "span.op:>db" is invalid: span.op can\'t be compared'],
    [{ query: 'span.op:"db' }, 'wrong_query: "\\"db" is invalid. The closing quote is missing'],
    [
      { query: 'a:b (span.op:db OR x:y' },
      'wrong_query: "(span.op:db OR x:y" is invalid. The closing parenthesis is missing',
    ],
    [{ query: 'span.op:db)' }, 'wrong_query: ")" is invalid. This parenthesis closes nothing'],
    [{ query: 'span.op:db OR' }, 'wrong_query: "OR" is invalid. OR needs a term on each side'],
    [
      { query: 'count():>1 OR span.op:db', fields: ['count()'] },
      'wrong_query: A condition on a function can’t be in parentheses or beside an OR',
    ],
    [{ query: 'span.opp:db' }, 'wrong_field: span.opp is not a field of spans'],
    [{ query: 'count():>many', fields: ['count()'] }, 'wrong_query: "count():>many" is invalid'],
    [{ query: 'count():>1' }, 'wrong_query: A condition on a function needs at least one function'],
    [{ sort: ['-span.oop'] }, "wrong_sort: Can't sort by span.oop"],
    [{ fields: ['count()'], sort: ['-span.op'] }, "wrong_sort: Can't sort by span.op: it is not one of the fields"],
  ])('%j', (given, expected) => {
    expect(fault(given)).toContain(expected)
  })

  it('never throws', () => {
    const piece = constantFrom(
      'span.op:',
      'count()',
      '(',
      ')',
      '[',
      ']',
      '"',
      ':',
      '>',
      ' ',
      'OR',
      'tags[',
      ',',
      '!',
      '*',
    )
    assert(
      property(array(piece, { maxLength: 20 }), string(), (pieces, rest) => {
        const text = pieces.join('') + rest
        const planned = planExploration(query({ fields: [text], query: text, sort: [text] }), now)
        const said =
          'ok' in planned
            ? planned.message
            : explorationSql(planned, scope, { limit: 1, offset: 0, now, pending: noPendingStates }).query
        return said.length > 0
      }),
      { numRuns: 500 },
    )
  })
})

const rangeNow = Date.parse('2026-11-15T12:00:00Z')
const hourMs = 3_600_000

test('a time range is a period up to now, or two dates in UTC', () => {
  expect(readRange({ statsPeriod: '24h' }, rangeNow)).toEqual({ from: rangeNow + 1 - 24 * hourMs, to: rangeNow + 1 })
  expect(readRange({ start: '2026-11-15T10:00:00', end: '2026-11-15T11:00:00.000Z' }, rangeNow)).toEqual({
    from: rangeNow - 2 * hourMs,
    to: rangeNow - hourMs,
  })
  expect(readRange({ start: '2026-11-15T11:00:00+01:00' }, rangeNow)).toEqual({
    from: rangeNow - 2 * hourMs,
    to: rangeNow + 1,
  })
  expect(readRange({}, rangeNow)).toEqual({ from: rangeNow + 1 - 14 * 24 * hourMs, to: rangeNow + 1 })
})

test('an invalid time is named, and no range is longer than the retention', () => {
  expect(readRange({ statsPeriod: 'soon' }, rangeNow)).toMatchObject({ code: 'wrong_time' })
  expect(readRange({ start: 'yesterday' }, rangeNow)).toMatchObject({ message: expect.stringContaining('yesterday') })
  expect(readRange({ start: '2026-11-15', end: '2026-11-14' }, rangeNow)).toMatchObject({ code: 'wrong_time' })
  expect(readRange({ statsPeriod: '52w' }, rangeNow)).toEqual({
    from: rangeNow + 1 - 90 * 24 * hourMs,
    to: rangeNow + 1,
  })
})
