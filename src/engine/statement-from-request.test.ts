import { expect, test } from 'vitest'
import { statementLane } from './statement-from-request.ts'

test.each([
  'SELECT 1',
  ' with x as (select 1) select *',
  '-- why\nSHOW TABLES',
  '/* a */ (select 1)',
  'explain ast select 1',
])('reads: %s', sql => expect(statementLane(sql)).toBe('read'))

test.each(['INSERT INTO t VALUES (1)', 'create table t (a Int8)', 'OPTIMIZE TABLE t', '', '-- select'])(
  'writes: %s',
  sql => expect(statementLane(sql)).toBe('write'),
)
