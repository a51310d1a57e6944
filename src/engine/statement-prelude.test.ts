import { expect, test } from 'vitest'
import { setParameters, statementPrelude } from './statement-prelude.ts'

test('settings become literals, parameters stand apart, and what belongs to HTTP stays out', () => {
  const url = new URLSearchParams({ query: 'SELECT 1', query_id: 'x', max_execution_time: '3', param_name: "o'neil" })
  const prelude = statementPrelude(url, 'write')
  expect(prelude).toMatchObject({ kind: 'prelude', parameters: { name: "o'neil" } })
  const sql = prelude.kind === 'prelude' ? prelude.sql : ''
  expect(sql).toContain("max_execution_time = '3'")
  expect(sql).not.toMatch(/\bquery(_id)? =/)
})

test('parameters become literals', () => {
  expect(setParameters({ name: "o'neil", p1: '2' })).toBe("SET param_name = 'o\\'neil', param_p1 = '2'")
})

test('nobody lifts the lock of a read', () => {
  const prelude = statementPrelude(new URLSearchParams({ readonly: '0', database: 'd' }), 'read')
  expect(prelude.kind === 'prelude' && prelude.sql).toMatch(/; USE d$/)
  expect(prelude.kind === 'prelude' && prelude.sql).not.toContain('readonly')
})

test.each(['a b', 'x = 1, readonly', 'param_x; DROP', ''])('a name that is no name is refused: %j', key => {
  expect(statementPrelude(new URLSearchParams({ [key]: '1' }), 'read').kind).toBe('refused')
})

test('a database that is no name is refused', () => {
  expect(statementPrelude(new URLSearchParams({ database: 'd; DROP' }), 'read').kind).toBe('refused')
})
