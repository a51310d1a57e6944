import { expect, it } from 'vitest'
import { sideOf, spanSide } from './side.ts'

const error = (value: string) => ({ values: [{ type: 'Error', value }] })

it.each([
  ['a page script', { platform: 'javascript', contexts: {}, exception: error('no cart') }, 'browser'],
  ['a server component', { platform: 'node', contexts: { runtime: { name: 'node' } } }, 'server'],
  [
    'a bundle that calls its platform javascript',
    { platform: 'javascript', contexts: { runtime: { name: 'node' } } },
    'server',
  ],
  ['middleware', { platform: 'javascript', contexts: { runtime: { name: 'vercel-edge' } } }, 'edge'],
  ['another language', { platform: 'python', contexts: {} }, 'server'],
  [
    'a mismatch in words',
    { platform: 'javascript', contexts: {}, exception: error('Hydration failed because the server rendered text') },
    'both',
  ],
  [
    'a mismatch as a number',
    { platform: 'javascript', contexts: {}, exception: error('Minified React error #418; visit x') },
    'both',
  ],
  [
    'another minified error',
    { platform: 'javascript', contexts: {}, exception: error('Minified React error #441; visit x') },
    'browser',
  ],
] as const)('side of an event: %s', (_, event, side) => {
  expect(sideOf(structuredClone(event) as unknown as Parameters<typeof sideOf>[0])).toBe(side)
})

const next = 'sentry.javascript.nextjs'

it.each([
  ['a page load', { platform: 'javascript', op: 'pageload', sdkName: next }, 'browser'],
  ['a request on the server', { platform: 'node', op: 'http.server', sdkName: next }, 'server'],
  ['middleware of Next', { platform: 'node', op: 'middleware', sdkName: next }, 'edge'],
  ['middleware of an older SDK', { platform: 'node', op: 'middleware.nextjs', sdkName: next }, 'edge'],
  [
    'middleware of Express',
    { platform: 'node', op: 'middleware.express', sdkName: 'sentry.javascript.node' },
    'server',
  ],
  ['middleware of Express inside Next', { platform: 'node', op: 'middleware.express', sdkName: next }, 'server'],
  ['middleware of a Node server', { platform: 'node', op: 'middleware', sdkName: 'sentry.javascript.node' }, 'server'],
  ['an edge route', { platform: 'javascript', op: 'http.server', sdkName: next }, 'edge'],
  ['a worker', { platform: 'javascript', op: 'db', sdkName: 'sentry.javascript.cloudflare' }, 'edge'],
  ['another language', { platform: 'python', op: 'db', sdkName: 'sentry.python' }, 'server'],
] as const)('side of a span: %s', (_, clues, side) => {
  expect(spanSide(clues)).toBe(side)
})
