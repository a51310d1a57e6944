import { describe, expect, test } from 'vitest'
import { fillScope } from './fill-scope.ts'

const of = (name: string) => `${name}.project_id IN {scope_projects:Array(UInt64)}`

describe('a query with a scope for each table is filled in', () => {
  const cases: [name: string, sql: string, filled: string][] = [
    ['one table', 'SELECT a FROM events WHERE {scope}', `SELECT a FROM events WHERE ${of('events')}`],
    [
      'an alias',
      'select a from event_index as e where {scope} and a = 1 limit 1',
      `select a from event_index as e where ${of('e')} and a = 1 limit 1`,
    ],
    [
      'an alias without AS',
      'SELECT a FROM events e FINAL WHERE {scope}',
      `SELECT a FROM events e FINAL WHERE ${of('e')}`,
    ],
    [
      'a quoted name',
      'SELECT a FROM `events` WHERE {scope} GROUP BY a',
      `SELECT a FROM \`events\` WHERE ${of('events')} GROUP BY a`,
    ],
    [
      'PREWHERE',
      'SELECT a FROM events PREWHERE {scope} WHERE a = 1',
      `SELECT a FROM events PREWHERE ${of('events')} WHERE a = 1`,
    ],
    [
      'two tables with their aliases',
      'SELECT 1 FROM events AS e JOIN spans s ON e.trace_id = s.trace_id WHERE {scope:e} AND {scope:s} AND e.a = 1',
      `SELECT 1 FROM events AS e JOIN spans s ON e.trace_id = s.trace_id WHERE ${of('e')} AND ${of('s')} AND e.a = 1`,
    ],
    [
      'a subquery as source',
      'SELECT max(n) FROM (SELECT count() AS n FROM spans WHERE {scope} GROUP BY op) AS found WHERE n > 1 OR n < 0',
      `SELECT max(n) FROM (SELECT count() AS n FROM spans WHERE ${of('spans')} GROUP BY op) AS found WHERE n > 1 OR n < 0`,
    ],
    [
      'a subquery in a condition',
      'SELECT a FROM logs WHERE {scope} AND span_id NOT IN (SELECT span_id FROM spans WHERE {scope})',
      `SELECT a FROM logs WHERE ${of('logs')} AND span_id NOT IN (SELECT span_id FROM spans WHERE ${of('spans')})`,
    ],
    [
      'a name from WITH',
      'WITH few AS (SELECT a FROM events WHERE {scope}) SELECT a FROM few WHERE a = 1',
      `WITH few AS (SELECT a FROM events WHERE ${of('events')}) SELECT a FROM few WHERE a = 1`,
    ],
    [
      'a number from WITH',
      'WITH (SELECT count() FROM events WHERE {scope}) AS n SELECT a FROM events WHERE {scope} AND b < n',
      `WITH (SELECT count() FROM events WHERE ${of('events')}) AS n SELECT a FROM events WHERE ${of('events')} AND b < n`,
    ],
    [
      'ARRAY JOIN and UNION ALL',
      'SELECT k FROM (SELECT tags, b FROM events WHERE {scope} UNION ALL SELECT tags, b FROM logs WHERE {scope}) ARRAY JOIN mapKeys(tags) AS k, b',
      `SELECT k FROM (SELECT tags, b FROM events WHERE ${of('events')} UNION ALL SELECT tags, b FROM logs WHERE ${of('logs')}) ARRAY JOIN mapKeys(tags) AS k, b`,
    ],
    [
      'words of SQL as text, comment and column',
      "SELECT ' FROM spans ''{scope}', pair.from -- FROM spans\n FROM events WHERE {scope} AND (a OR b)",
      `SELECT ' FROM spans ''{scope}', pair.from -- FROM spans\n FROM events WHERE ${of('events')} AND (a OR b)`,
    ],
    ['no table', "SELECT 1 AS one, 'x'", "SELECT 1 AS one, 'x'"],
  ]
  test.each(cases)('%s', (_, sql, filled) => {
    expect(fillScope(sql).plain).toBe(filled)
  })
})

test('events of deleted issues are left out of every table of events, and of no other', () => {
  const { plain, withoutDeleted } = fillScope(
    'SELECT a FROM event_index AS e WHERE {scope} AND a IN (SELECT a FROM events WHERE {scope} AND b = 1)',
  )
  expect(plain).not.toContain('deleted_')
  expect(withoutDeleted.match(/AND NOT \((e|events)\.group_hash IN/g)).toEqual([
    'AND NOT (e.group_hash IN',
    'AND NOT (events.group_hash IN',
  ])
  for (const sql of ['SELECT a FROM spans WHERE {scope}', 'SELECT a FROM route_sums AS events WHERE {scope}']) {
    const filled = fillScope(sql)
    expect(filled.withoutDeleted).toBe(filled.plain)
  }
})

describe('a query that reads a table without its scope is refused', () => {
  const cases: [name: string, sql: string][] = [
    ['no condition', 'SELECT a FROM events'],
    ['lower case', 'select a from events where a = 1'],
    ['another condition', 'SELECT a FROM events WHERE project_id IN {projectIds:Array(UInt64)}'],
    ['the scope in a comment', 'SELECT a FROM events /* WHERE {scope} */ WHERE a = 1'],
    ['the scope in a line comment', 'SELECT a FROM events -- WHERE {scope}\nWHERE a = 1'],
    ['the scope in a string', "SELECT a FROM events WHERE '{scope}' != ''"],
    ['a string with an escaped quote', "SELECT a FROM events WHERE 'it\\'s {scope}' != ''"],
    ['the scope as a column', 'SELECT {scope} FROM events'],
    ['the scope after another condition', 'SELECT a FROM events WHERE a = 1 AND {scope}'],
    ['the scope in parentheses', 'SELECT a FROM events WHERE ({scope} OR 1)'],
    ['NOT', 'SELECT a FROM events WHERE NOT {scope}'],
    ['OR', 'SELECT a FROM events WHERE {scope} OR 1'],
    ['OR after AND', 'SELECT a FROM events WHERE {scope} AND a = 1 or b = 1'],
    ['a comparison of the scope', 'SELECT a FROM events WHERE {scope} = 0'],
    ['a conditional', 'SELECT a FROM events WHERE {scope} AND a ? 1 : 1'],
    ['HAVING', 'SELECT a FROM events GROUP BY a HAVING {scope}'],
    ['the inner query', 'SELECT a FROM (SELECT a FROM events) AS e WHERE a = 1'],
    ['the outer query', 'SELECT a FROM events WHERE a IN (SELECT a FROM spans WHERE {scope})'],
    ['a scope for the result of a subquery', 'SELECT a FROM (SELECT a FROM events) AS e WHERE {scope}'],
    ['a nested query', 'SELECT a FROM logs WHERE {scope} AND b IN (SELECT b FROM (SELECT b FROM spans WHERE b = 1))'],
    ['the first part of a UNION', 'SELECT a FROM events UNION ALL SELECT a FROM events WHERE {scope}'],
    ['the last part of a UNION', 'SELECT a FROM events WHERE {scope} UNION DISTINCT SELECT a FROM events'],
    ['EXCEPT', 'SELECT a FROM events WHERE {scope} EXCEPT SELECT a FROM events'],
    ['a joined table', 'SELECT a FROM events JOIN spans USING (trace_id) WHERE {scope}'],
    ['one of two joined tables', 'SELECT a FROM events e LEFT JOIN spans s USING (trace_id) WHERE {scope:e}'],
    ['the same table twice', 'SELECT a FROM events e JOIN events o USING (trace_id) WHERE {scope:e} AND {scope:e}'],
    ['a table after a comma', 'SELECT a FROM events e, spans s WHERE {scope:e}'],
    [
      'a table after ON and a comma',
      'SELECT a FROM events e JOIN (SELECT 1 AS x) o ON e.a = o.x, spans s WHERE {scope:e}',
    ],
    ['a joined subquery', 'SELECT a FROM events JOIN (SELECT a FROM spans) AS s USING (a) WHERE {scope}'],
    ['a query of WITH', 'WITH few AS (SELECT a FROM events) SELECT a FROM few'],
    ['a number of WITH', 'WITH (SELECT count() FROM events) AS n SELECT n'],
    ['a name of WITH that is not known yet', 'WITH events AS (SELECT a FROM events) SELECT a FROM events'],
    [
      'a name of WITH outside of its query',
      'SELECT a FROM (WITH few AS (SELECT 1 AS a) SELECT a FROM few) JOIN few USING (a)',
    ],
    ['a column of SELECT in a function', 'SELECT (SELECT max(a) FROM spans) FROM events WHERE {scope}'],
    ['a name that is no alias', 'SELECT a FROM events AS e WHERE {scope:events}'],
    ['a quoted name', 'SELECT a FROM "events"'],
    ['a database', 'SELECT a FROM hydrant.events WHERE {scope}'],
    ['a table function', "SELECT a FROM merge('events') WHERE {scope}"],
    ['a name as parameter', 'SELECT a FROM {table:Identifier} WHERE {scope}'],
    ['IN with a table', 'SELECT a FROM events WHERE {scope} AND a IN spans'],
    ['IN with a table in parentheses', 'SELECT a FROM events WHERE {scope} AND a IN (spans)'],
    ['a dictionary', "SELECT dictGet('projects', 'name', 1)"],
    ['FROM before SELECT', 'FROM events SELECT a'],
    ['a nested comment', 'SELECT a /* /* */ FROM events */ WHERE {scope}'],
    ['another kind of comment', 'SELECT a FROM events # WHERE {scope}'],
    ['a heredoc', 'SELECT $x$ WHERE {scope} $x$ FROM events'],
    ['two statements', 'SELECT 1; SELECT a FROM events WHERE {scope}'],
    ['another statement', 'SHOW TABLES'],
    ['a parenthesis too many', 'SELECT 1) FROM events WHERE {scope}'],
  ]
  test.each(cases)('%s', (_, sql) => {
    expect(() => fillScope(sql)).toThrow(/Unscoped query|in a scoped query/)
  })
})
