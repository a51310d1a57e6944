import { expect, test } from 'vitest'
import { formatAge } from './format-age.ts'

test('an age is one number and its unit', () => {
  const day = 86_400_000
  const shown = [-5_000, 400, 4_000, 90_000, 7_200_000, 3 * day, 70 * day, 800 * day].map(formatAge)
  expect(shown).toEqual(['now', 'now', '4 s', '1 m', '2 h', '3 d', '2 mo', '2 y'])
})
