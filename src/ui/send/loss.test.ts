import { expect, it } from 'vitest'
import { describeLoss, describeLosses, isUnchanged, type LossKind } from './loss.ts'

/** All kinds: a new one doesn't compile until it says here whether it is known that nothing was changed. */
const isKnown: Record<LossKind, boolean> = {
  unsent: true,
  not_arrived: true,
  updated: true,
  signed_out: true,
  not_allowed: true,
  not_found: true,
  withdrawn: true,
  checking: false,
  unanswered: false,
  arrived: false,
  failed: false,
  running: false,
  unclear: false,
  missing_part: false,
}
const kinds = Object.keys(isKnown) as LossKind[]

it.each(kinds)('%s says that nothing was changed only if that is known, and offers a way on', kind => {
  expect(isUnchanged(kind)).toBe(isKnown[kind])
  expect(describeLoss(kind).remedies.length).toBeGreaterThan(0)
  expect(describeLoss(kind).text.length).toBeLessThan(90)
})

it('says of several what is true of all of them', () => {
  expect(describeLosses([])).toEqual({ text: '', remedies: [] })
  expect(describeLosses(['unsent'])).toEqual(describeLoss('unsent'))
  expect(describeLosses(['unsent', 'unsent']).text).toBe('2 changes didn’t get through. None of them was made.')
  expect(describeLosses(['unsent', 'checking']).text).toBe(
    '2 changes didn’t get through. Some of them may have been made.',
  )
  expect(describeLosses(['unsent', 'updated']).remedies).toEqual(['reload', 'retry'])
})
