import { expect, test } from 'vitest'
import { readIssueCursor, writeIssueCursor } from './list-issues-response.ts'

test('reads a cursor as it was written', () => {
  const cursor = { to: 1_794_700_000_000, keys: [3, 120], id: 55 }
  expect(readIssueCursor(writeIssueCursor(cursor))).toEqual(cursor)
})

test('an invalid cursor reads as null', () => {
  for (const text of ['', '0:0:0x', 'a:b:c', '1:2', '1:-2:3', `${'9'.repeat(30)}:1:1`])
    expect(readIssueCursor(text)).toBeNull()
})
