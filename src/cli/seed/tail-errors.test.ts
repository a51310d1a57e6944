import { expect, it } from 'vitest'
import { maxTailErrors, tailErrors } from './tail-errors.ts'

it('rare errors of a seeded shop are each thrown in a place of their own, whichever number is asked for', () => {
  const places = tailErrors(maxTailErrors).map(({ at }) => at[0]?.[0])
  expect(new Set(places).size).toBe(maxTailErrors)
})

it('more rare errors are added to the ones that were there', () => {
  expect(tailErrors(300).slice(0, 200)).toEqual(tailErrors(200))
})
