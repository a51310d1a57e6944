import { expect, it } from 'vitest'
import { makeError, makeEvent } from '../../test/make-event.ts'
import { readPairs } from '../../test/read-grouping.ts'
import { groupEvent } from './group-event.ts'

const pairs = readPairs()
const asMessage = (text: string): string => groupEvent(makeEvent({ logentry: { message: text } })).hash
const asError = (text: string): string => groupEvent(makeError('ShopError', text)).hash

/** Same bug, two issues: at most this share. Two bugs are never one issue. */
const maxSplit = 0.1

it.each([
  ['messages', asMessage],
  ['errors without a stack', asError],
])('%s of one bug are one issue, and of two bugs two', (_, hashOf) => {
  const same = pairs.filter(({ isOneBug }) => isOneBug)
  const split = same.filter(({ first, second }) => hashOf(first) !== hashOf(second))
  const joined = pairs.filter(({ isOneBug, first, second }) => !isOneBug && hashOf(first) === hashOf(second))
  expect(same.length).toBeGreaterThan(40)
  expect(pairs.length - same.length).toBeGreaterThan(25)
  expect(joined).toEqual([])
  expect(split.length / same.length, JSON.stringify(split)).toBeLessThanOrEqual(maxSplit)
})
