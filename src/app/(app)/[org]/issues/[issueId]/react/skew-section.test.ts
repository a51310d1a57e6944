import { expect, it } from 'vitest'
import { describeRollout } from './skew-section.tsx'

const deploys = [{ version: 'shop@2', at: 1 }]

it('says that old tabs are gone when none was seen lately', () => {
  const text = describeRollout({ old: [9, 5, 1, 0], fresh: [0, 4, 9, 9], failures: [0, 3, 1, 0], deploys }, 'shop@1')
  expect(text).toMatch(/^Tabs on shop@1 are gone/)
  expect(text).toContain('shop@2 was deployed after it')
})

it('says whether the share of old tabs is falling', () => {
  const falling = { old: [90, 50, 10, 1], fresh: [0, 40, 90, 99], failures: [0, 3, 1, 1], deploys }
  expect(describeRollout(falling, 'shop@1')).toMatch(/are going away: 1 % of recent/)
  const standing = { old: [9, 9, 9, 9], fresh: [1, 1, 1, 1], failures: [0, 3, 3, 3], deploys: [] }
  expect(describeRollout(standing, 'shop@1')).toMatch(/are not going away yet.*No newer release/)
})

it('says that the number of tabs is unknown without page views', () => {
  const nothing = { old: [0, 0], fresh: [0, 0], failures: [0, 2], deploys: [] }
  expect(describeRollout(nothing, 'shop@1')).toMatch(/^No page views or sessions/)
})
