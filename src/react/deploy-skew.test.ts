import { expect, it } from 'vitest'
import { makeError } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { findNewSkew, findSkew } from './deploy-skew.ts'

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

const inBrowser = { platform: 'javascript' }
const onServer = { platform: 'node', sdk: { name: 'sentry.javascript.react-router' } }
const noRoute = (path: string) => `No route matches URL "${path}"`

it.each([
  ['Error', noRoute('/assets/cart-C9wh724K.js'), onServer, 'chunk'],
  ['Error', noRoute('/shop/assets/cart-abcDefgh.css'), onServer, 'chunk'],
  ['TypeError', "'text/html' is not a valid JavaScript MIME type.", inBrowser, 'chunk'],
  // What no build has made.
  ['Error', noRoute('/wp-content/jquery-plugined.js'), onServer, null],
  ['Error', noRoute('/cart'), onServer, null],
  ['Error', noRoute(`/assets/${'a'.repeat(700)}-C9wh724K.js`), onServer, null],
  // A page of the app with such a name, and the same text of an app that has no router.
  ['Error', noRoute('/assets/cart-C9wh724K.js'), inBrowser, null],
  ['Error', noRoute('/assets/cart-C9wh724K.js'), { ...onServer, sdk: { name: 'sentry.javascript.astro' } }, null],
  ['Error', "'text/html' is not a valid JavaScript MIME type.", inBrowser, null],
])('deploy skew that only newer groups know: %s: %s', (type, value, fields, kind) => {
  const event = { ...makeError(type, value), ...fields }
  expect(findNewSkew(event)).toBe(kind)
  expect(findSkew(event)).toBeNull()
})
