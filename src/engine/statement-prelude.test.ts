import { expect, test } from 'vitest'
import { statementPrelude } from './statement-prelude.ts'

test('settings and parameters become literals, and what belongs to HTTP stays out', () => {
  const url = new URLSearchParams({ query: 'SELECT 1', query_id: 'x', max_execution_time: '3', param_name: "o'neil" })
  const prelude = statementPrelude(url, 'write')
  expect(prelude).toMatchObject({ kind: 'prelude' })
  const sql = prelude.kind === 'prelude' ? prelude.sql : ''
  expect(sql).toContain("max_execution_time = '3', param_name = 'o\\'neil'")
  expect(sql).not.toMatch(/\bquery(_id)? =/)
})

test('a read is locked last, when nothing is left to set', () => {
  const prelude = statementPrelude(new URLSearchParams({ readonly: '0', database: 'd' }), 'read')
  expect(prelude.kind === 'prelude' && prelude.sql).toMatch(/; USE d; SET readonly = 1$/)
})

test.each(['a b', 'x = 1, readonly', 'param_x; DROP', ''])('a name that is no name is refused: %j', key => {
  expect(statementPrelude(new URLSearchParams({ [key]: '1' }), 'read').kind).toBe('refused')
})

test('a database that is no name is refused', () => {
  expect(statementPrelude(new URLSearchParams({ database: 'd; DROP' }), 'read').kind).toBe('refused')
})
