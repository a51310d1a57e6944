import { expect, test } from 'vitest'
import { slugify } from './slugify.ts'

test('a name becomes a part of a URL', () => {
  expect(['Acme', 'Acme Größe & Co', '  web  shop ', '日本', `${'a'.repeat(49)} b`].map(slugify)).toEqual([
    'acme',
    'acme-grosse-co',
    'web-shop',
    '',
    'a'.repeat(49),
  ])
})
