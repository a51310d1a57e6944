import { expect, test } from 'vitest'
import { allows } from './token-scopes.ts'

test('a build token can upload and read projects, but no events', () => {
  expect(allows(['org:ci'], 'project:releases')).toBe(true)
  expect(allows(['org:ci'], 'project:read')).toBe(true)
  expect(allows(['org:ci'], 'event:read')).toBe(false)
})

test('an unknown scope allows nothing', () => {
  expect(allows(['everything', 'constructor', ''], 'team:read')).toBe(false)
})
