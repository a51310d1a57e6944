import { expect, test } from 'vitest'
import { allows } from './token-scopes.ts'

test('a build token uploads and reads projects, and sees no event', () => {
  expect(allows(['org:ci'], 'project:releases')).toBe(true)
  expect(allows(['org:ci'], 'project:read')).toBe(true)
  expect(allows(['org:ci'], 'event:read')).toBe(false)
})

test('a scope that nobody knows gives nothing', () => {
  expect(allows(['everything', 'constructor', ''], 'team:read')).toBe(false)
})
