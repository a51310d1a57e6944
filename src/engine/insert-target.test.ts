import { expect, test } from 'vitest'
import { insertTarget } from './insert-target.ts'

test('the inserts of the client are understood', () => {
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
