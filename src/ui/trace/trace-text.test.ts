import { expect, test } from 'vitest'
import type { TraceColumns } from './trace-columns.ts'
import { readTrace, writeTrace } from './trace-text.ts'

const columns: TraceColumns = {
  strings: ['', 'db', 'SELECT "a", \'b\' FROM c\\d', '</script>'],
  lanes: [{ side: 'server', note: 'web, "x"' }],
  kind: [0, 2, 0, 3],
  parent: [-1, 0, 1, -1],
  start: [0, 12_345_678, 99, 0],
  duration: [1_000_000, 0, 7, 12],
  op: [0, 1, 1, 0],
  name: [3, 2, 2, 0],
  lane: [0, 0, 0, 0],
  flags: [9, 0, 128, 0],
  id: ['00000000000000a1', '', 'ffffffffffffffff', ''],
  errors: [[2, 3]],
  logs: [],
  marks: [[0, 12, 1]],
  wholeUs: 1_000_000,
}

test('reads a trace as it was written', () => {
  expect(readTrace(writeTrace(columns))).toEqual(columns)
})

test('line breaks and tabs in a name become spaces', () => {
  const read = readTrace(writeTrace({ ...columns, strings: ['', 'db', 'SELECT\n\t1', 'x'] }))
  expect(read.strings).toEqual(['', 'db', 'SELECT 1', 'x'])
  expect(read.id).toEqual(columns.id)
})

test('reads and writes a trace with one row', () => {
  const one = { ...columns, ...{ kind: [0], parent: [-1], start: [0], duration: [5], op: [1], name: [1], lane: [0] } }
  const single = {
    ...one,
    flags: [0],
    id: ['00000000000000a1'],
    errors: [],
    strings: ['', 'db'],
  } satisfies TraceColumns
  expect(readTrace(writeTrace(single))).toEqual(single)
})
