import { expect, test } from 'vitest'
import type { StatementResult } from '../engine-driver.ts'
import { createExhaustionWatch } from './wasm-driver.ts'

const failed = (message: string): StatementResult => ({
  kind: 'failed',
  message: `Code: 241. DB::Exception: ${message}`,
})
const total = failed('(total) memory limit exceeded: would use 1.18 GiB. (MEMORY_LIMIT_EXCEEDED)')
const query = failed('Query memory limit exceeded: would use 701.00 MiB. (MEMORY_LIMIT_EXCEEDED)')
const done: StatementResult = {
  kind: 'done',
  bytes: new Uint8Array(),
  readRows: 0,
  readBytes: 0,
  writtenRows: 0,
  elapsedMs: 0,
}

test('an engine that is out of memory for several statements in a row is exhausted', () => {
  const isExhausted = createExhaustionWatch()
  const none = failed('Allocator: Cannot malloc 16.00 MiB. (CANNOT_ALLOCATE_MEMORY)')
  expect([total, query, none].map(isExhausted)).toEqual([false, false, true])
})

test('an engine that runs the next statement is not exhausted, and a greedy query does not count', () => {
  const isExhausted = createExhaustionWatch()
  expect([total, done, total, done, query, query, query].map(isExhausted)).toEqual(Array(7).fill(false))
})
