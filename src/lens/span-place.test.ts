import { expect, it } from 'vitest'
import { spanPlace } from './span-place.ts'

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
] as const)('%s', (_, clues, place) => {
  expect(spanPlace(clues)).toBe(place)
})
