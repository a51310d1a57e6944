import { expect, it } from 'vitest'
import { maxTailErrors, tailErrors } from './tail-errors.ts'

it('each rare error is thrown in a file of its own', () => {
  const files = tailErrors(maxTailErrors).map(({ at }) => at[0]?.[0])
  expect(new Set(files).size).toBe(maxTailErrors)
})

it('a larger count only appends errors', () => {
  expect(tailErrors(300).slice(0, 200)).toEqual(tailErrors(200))
})
