import { parseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { nameSystemError } from './engine-server.ts'

test.each([
  ['Error: ENOSPC: no space left on device, write', '243'],
  ['EDQUOT: disk quota exceeded, write', '243'],
  ['Error: EIO: i/o error, write', '75'],
  ['EMFILE: too many open files, open', '75'],
])('a file that can’t be written (%s) is not the fault of rows', (message, code) => {
  expect(parseError(nameSystemError(message))).toMatchObject({ code, message: expect.stringContaining(message) })
})

test('other errors are what they were', () => {
  for (const message of ['Code: 60. DB::Exception: none (UNKNOWN_TABLE)', 'Error: ended', 'Engine: EIO: x'])
    expect(nameSystemError(message)).toBe(message)
})
