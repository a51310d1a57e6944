import { expect, test } from 'vitest'
import { planEngineMemory } from './engine-driver.ts'
import { insertTarget, setParameters, sqlLiteral, statementPrelude } from './statement.ts'

const memory = planEngineMemory(1024 ** 3, 'wasm')

test('settings become literals, parameters are separate, and HTTP parameters are ignored', () => {
  const url = new URLSearchParams({ query: 'SELECT 1', query_id: 'x', max_execution_time: '3', param_name: "o'neil" })
  const prelude = statementPrelude(url, 'write', memory)
  expect(prelude).toMatchObject({ kind: 'prelude', parameters: { name: "o'neil" } })
  const sql = prelude.kind === 'prelude' ? prelude.sql : ''
  expect(sql).toContain("max_execution_time = '3'")
  expect(sql).not.toMatch(/\bquery(_id)? =/)
})

test('parameters become literals', () => {
  expect(setParameters({ name: "o'neil", p1: '2' })).toBe("SET param_name = 'o\\'neil', param_p1 = '2'")
})

test('a client cannot unlock a read', () => {
  const prelude = statementPrelude(new URLSearchParams({ readonly: '0', database: 'd' }), 'read', memory)
  expect(prelude.kind === 'prelude' && prelude.sql).toMatch(/; USE d$/)
  expect(prelude.kind === 'prelude' && prelude.sql).not.toContain('readonly')
})

test.each(['a b', 'x = 1, readonly', 'param_x; DROP', ''])('an invalid name is refused: %j', key => {
  expect(statementPrelude(new URLSearchParams({ [key]: '1' }), 'read', memory).kind).toBe('refused')
})

test('an invalid database name is refused', () => {
  expect(statementPrelude(new URLSearchParams({ database: 'd; DROP' }), 'read', memory).kind).toBe('refused')
})

test.each([
  ['2000000000', memory.statementBytes],
  ['0', memory.statementBytes],
  ['much', memory.statementBytes],
  ['1000000', 1_000_000],
])('a statement gets at most the memory that there is for one: %s', (asked, given) => {
  const prelude = statementPrelude(new URLSearchParams({ max_memory_usage: asked }), 'read', memory)
  const bounds =
    prelude.kind === 'prelude'
      ? [...prelude.sql.matchAll(/max_memory_usage = (\S+?)[,;]|max_memory_usage = (\S+)$/g)]
      : []
  expect(bounds.map(([, inside, last]) => inside ?? last).at(-1)).toBe(String(given))
})

test('the inserts of the client are parsed', () => {
  expect(insertTarget('INSERT INTO spans FORMAT JSONEachRow')).toEqual({
    table: 'spans',
    columns: null,
    format: 'JSONEachRow',
  })
  expect(insertTarget('INSERT INTO d.spans (a, `b`) FORMAT CSV\n')).toEqual({
    table: 'd.spans',
    columns: ['a', 'b'],
    format: 'CSV',
  })
})

test.each([
  'INSERT INTO t SETTINGS x = 1 FORMAT CSV',
  'INSERT INTO t (* EXCEPT(a)) FORMAT CSV',
  'INSERT INTO t VALUES (1)',
  'INSERT INTO FUNCTION file(1) FORMAT CSV',
])('anything else is left to the engine: %s', sql => expect(insertTarget(sql)).toBeNull())

test('a value cannot break out of its quotes', () => {
  expect(sqlLiteral("x'; DROP TABLE t; --")).toBe("'x\\'; DROP TABLE t; --'")
  expect(sqlLiteral("\\'")).toBe("'\\\\\\''")
})

test('a NUL does not truncate the statement', () => {
  expect(sqlLiteral('a\0b')).toBe("'a\\0b'")
})
