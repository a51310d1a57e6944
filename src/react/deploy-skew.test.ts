import { expect, it } from 'vitest'
import { makeError } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { findSkew } from './deploy-skew.ts'

it('recorded chunk load errors of Turbopack are deploy skew', () => {
  expect(findSkew(readEvent('next-chunkload/009'))).toBe('chunk')
  expect(findSkew(readEvent('next-chunkload/010'))).toBe('chunk')
})

it.each([
  ['ChunkLoadError', 'Loading chunk 4821 failed.\n(error: https://shop.example/_next/static/chunks/4821.js)', 'chunk'],
  ['ChunkLoadError', 'Loading CSS chunk 12 failed.\n(/_next/static/css/12.css)', 'stylesheet'],
  ['Error', 'Loading CSS chunk app-layout failed.\n(/_next/static/css/x.css)', 'stylesheet'],
  ['UnhandledRejection', 'ChunkLoadError: Loading chunk 7 failed.', 'chunk'],
  ['Error', 'Uncaught (in promise): ChunkLoadError: Loading chunk 7 failed.', 'chunk'],
  ['TypeError', 'Failed to fetch dynamically imported module: https://shop.example/assets/cart-a1.js', 'chunk'],
  ['TypeError', 'error loading dynamically imported module: https://shop.example/assets/cart-a1.js', 'chunk'],
  ['TypeError', 'Importing a module script failed.', 'chunk'],
  ['Error', 'Unable to preload CSS for /assets/cart-a1.css', 'stylesheet'],
  ['Error', 'Failed to load script: /_next/static/chunks/pages/cart-1.js', 'chunk'],
  ['Error', 'Failed to load stylesheet: /_next/static/css/9a.css', 'stylesheet'],
  ['Error', 'Failed to load client build manifest', 'chunk'],
  ['Error', 'Failed to lookup route: /cart', 'chunk'],
  ['Error', 'Failed to find Server Action "7f3a". This request might be from an older or newer deployment.', 'action'],
  ['UnrecognizedActionError', 'Server Action "7f3a" was not found on the server. \nRead more: …', 'action'],
])('deploy skew: %s: %s', (type, value, kind) => {
  expect(findSkew(makeError(type, value))).toBe(kind)
})

it.each([
  ['TypeError', 'Failed to fetch'],
  ['Error', 'Loading the cart failed'],
  ['Error', ''],
])('not deploy skew: %s: %s', (type, value) => {
  expect(findSkew(makeError(type, value))).toBeNull()
})
