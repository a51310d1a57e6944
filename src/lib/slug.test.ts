import { expect, test } from 'vitest'
import { findSlugFault } from './slug.ts'

test.each(['acme', 'a', 'web-2', '3d-shop', 'a'.repeat(50)])('%s is a slug', slug => {
  expect(findSlugFault(slug, 'organization')).toBeNull()
})

test.each(['', 'Acme', '-acme', 'acme-', 'a_b', 'a b', 'a/b', '..', 'ü', '123', 'a'.repeat(51)])(
  '%j is not a slug',
  slug => {
    expect(findSlugFault(slug, 'project')).toBe('slug_invalid')
  },
)

test('an organization cannot use a reserved slug, but a project can', () => {
  expect(findSlugFault('api', 'organization')).toBe('slug_reserved')
  expect(findSlugFault('api', 'project')).toBeNull()
})
