import { expect, test } from 'vitest'
import { formatOffset } from './format-offset.ts'

test('the time before an event reads at a glance', () => {
  expect([0, -31, 31, -21_400, -240_000, -7_200_000].map(formatOffset)).toEqual([
    '0',
    '−31 ms',
    '+31 ms',
    '−21.4 s',
    '−4 m',
    '−2 h',
  ])
})
