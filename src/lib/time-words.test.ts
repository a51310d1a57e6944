import { expect, test } from 'vitest'
import { timeInWords } from './time-words.ts'

test('a duration is told in its largest unit', () => {
  const told = [400, 1_000, 59_999, 180_000, 3_600_000, 90_000_000, 22 * 86_400_000].map(timeInWords)
  expect(told).toEqual(['a moment', '1 second', '59 seconds', '3 minutes', '1 hour', '1 day', '3 weeks'])
})
