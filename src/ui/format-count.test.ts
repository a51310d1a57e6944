import { expect, test } from 'vitest'
import { formatCount } from './format-count.ts'

test('counts are exact up to 9,999 and short above', () => {
  const shown = [0, 999, 4812, 9999, 10_000, 12_432, 99_960, 999_499, 999_500, 1_240_000, 3_100_000_000].map(
    formatCount,
  )
  expect(shown).toEqual(['0', '999', '4,812', '9,999', '10k', '12.4k', '100k', '999k', '1M', '1.2M', '3.1B'])
})
