import { expect, it } from 'vitest'
import { describeRollout } from './skew-section.tsx'

const deploys = [{ version: 'shop@2', at: 1 }]

it('tabs that are no longer seen have died out', () => {
  const told = describeRollout({ old: [9, 5, 1, 0], fresh: [0, 4, 9, 9], failures: [0, 3, 1, 0], deploys }, 'shop@1')
  expect(told).toMatch(/^The tabs of shop@1 have died out/)
  expect(told).toContain('shop@2 came after it')
})

it('tabs whose share falls are dying out, and others are not', () => {
  const falling = { old: [90, 50, 10, 1], fresh: [0, 40, 90, 99], failures: [0, 3, 1, 1], deploys }
  expect(describeRollout(falling, 'shop@1')).toMatch(/are dying out: they are 1 % of the latest/)
  const standing = { old: [9, 9, 9, 9], fresh: [1, 1, 1, 1], failures: [0, 3, 3, 3], deploys: [] }
  expect(describeRollout(standing, 'shop@1')).toMatch(/are not dying out yet.*No newer release/)
})

it('nothing is claimed where nothing is known', () => {
  const nothing = { old: [0, 0], fresh: [0, 0], failures: [0, 2], deploys: [] }
  expect(describeRollout(nothing, 'shop@1')).toMatch(/^No page view or session/)
})
