import { expect, test } from 'vitest'
import { isFresh } from './factor-guard.ts'

const minuteMs = 60_000
const now = 1_794_700_000_000

test.each([
  ['never', null, false],
  ['now', now, true],
  ['a little ahead, on another node', now + minuteMs, true],
  ['14 min ago', now - 14 * minuteMs, true],
  ['15 min ago', now - 15 * minuteMs, false],
  ['by a clock that was a day ahead', now + 24 * 60 * minuteMs, false],
])('a factor that was shown %s', (_, at, fresh) => {
  expect(isFresh(at, now)).toBe(fresh)
})
