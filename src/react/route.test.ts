import { describe, expect, it } from 'vitest'
import { routeSyntaxOf } from './frameworks/find-frameworks.ts'
import { routeOf, routeParts } from './route.ts'
import { isPrefetch, isSdkTransport } from './router-fetch.ts'

describe('routes have one spelling', () => {
  it.each([
    ['GET /items/[id]', '/items/[id]'],
    ['/items/:id', '/items/[id]'],
    ['/items/[id]/page', '/items/[id]'],
    ['RSC GET /items/[id]', '/items/[id]'],
    ['/docs/:slug*', '/docs/[...slug]'],
    ['/docs/[...slug]', '/docs/[...slug]'],
    ['/docs/:slug*?', '/docs/[[...slug]]'],
    ['/(shop)/cart/@modal/[id]', '/cart/[id]'],
    ['POST /api/users/{userId}/', '/api/users/[userId]'],
    ['/items/7?ref=nav', '/items/7'],
    ['/blog/page', '/blog/page'],
    ['/docs/[[...slug]]', '/docs/[[...slug]]'],
    ['GET /docs/[[...slug]]', '/docs/[[...slug]]'],
    ['/(shop)/cart/page', '/cart'],
    ['/(shop)/(sale)/page', '/'],
    ['/@modal/(.)items/[id]', '/items/[id]'],
    ['/(shop)/@modal/(.)items/[id]/page', '/items/[id]'],
    ['/feed/@modal/(..)photo/[id]', '/photo/[id]'],
    ['/a/b/(..)(..)photo', '/photo'],
    ['/a/b/c/(...)photo/:id', '/photo/[id]'],
    ['/a/(..)(..)(..)photo', '/photo'],
    ['/feed/(.)photo/:id', '/feed/photo/[id]'],
    ['/', '/'],
    ['GET /', '/'],
    ['GET', ''],
    ['middleware GET', ''],
    ['serverAction/submitOrder', ''],
    ['', ''],
  ])('%s → %s', (raw, route) => {
    expect(routeOf(raw)).toBe(route)
  })
})

describe('frameworks spell their routes differently', () => {
  const ssr = 'sentry.javascript.node'
  it.each([
    ['sentry.javascript.react-router', '/docs/*', '/docs/[...]'],
    ['sentry.javascript.react-router', '/lang/:lang?', '/lang/[[lang]]'],
    ['sentry.javascript.react-router', '/{*splat}', '/[...splat]'],
    ['sentry.javascript.remix', '/docs/:*', '/docs/[...]'],
    ['sentry.javascript.remix', '/shop/:category/items/:id', '/shop/[category]/items/[id]'],
    ['sentry.javascript.tanstackstart-react', '/_plain/items/$id', '/items/[id]'],
    ['sentry.javascript.tanstackstart-react', '/docs/$', '/docs/[...]'],
    ['sentry.javascript.tanstackstart-react', '/lang/{-$lang}', '/lang/[[lang]]'],
    ['sentry.javascript.tanstackstart-react', '/posts_/$postId/edit', '/posts/[postId]/edit'],
    [ssr, 'GET /*splat', '/[...splat]'],
    [ssr, '/api/items/:id', '/api/items/[id]'],
    // A layout or parameter of one framework is a plain folder in another.
    ['sentry.javascript.nextjs', '/_error', '/_error'],
    ['sentry.javascript.nextjs', '/price/$9', '/price/$9'],
    [ssr, '/_plain/$id', '/_plain/$id'],
  ])('%s: %s → %s', (sdk, raw, route) => {
    expect(routeOf(raw, routeSyntaxOf(sdk))).toBe(route)
  })

  it('the router of a browser SDK is in the origin of its spans', () => {
    const syntax = routeSyntaxOf('sentry.javascript.react', 'auto.pageload.react.tanstack_router')
    expect(routeOf('/_plain/items/$id', syntax)).toBe('/items/[id]')
  })
})

describe('routes of servers without a framework', () => {
  it.each([
    ['Express 5', 'GET /docs/*splat', '/docs/[...splat]'],
    ['Express 5', '/{*splat}', '/[...splat]'],
    ['Express 4', '/items/:id(\\d+)', '/items/[id]'],
    ['Express 4', '/lang/:lang?', '/lang/[[lang]]'],
    ['Fastify', '/items/:id(^\\d+$)/edit', '/items/[id]/edit'],
    ['Fastify', '/docs/*', '/docs/[...]'],
    ['Hono', '/items/:id{[0-9]+}', '/items/[id]'],
    ['Hono', '/docs/:path{.+}', '/docs/[path]'],
    ['Hono', '/docs/*', '/docs/[...]'],
  ])('%s: %s', (_, sent, route) => {
    for (const sdk of ['sentry.javascript.node', 'sentry.javascript.hono', 'sentry.javascript.bun'])
      expect(routeOf(sent, routeSyntaxOf(sdk))).toBe(route)
  })
})

describe('background requests', () => {
  const none = {
    prefetch: undefined,
    nextPrefetch: undefined,
    nextSegmentPrefetch: undefined,
    middlewarePrefetch: undefined,
    purpose: undefined,
    secPurpose: undefined,
  }
  it('a prefetch is recognized by the SDK’s attribute or by headers', () => {
    expect(isPrefetch(none)).toBe(false)
    expect(isPrefetch({ ...none, prefetch: true })).toBe(true)
    expect(isPrefetch({ ...none, prefetch: false })).toBe(false)
    expect(isPrefetch({ ...none, nextPrefetch: ['1'] })).toBe(true)
    expect(isPrefetch({ ...none, secPurpose: ['prefetch;prerender'] })).toBe(true)
    expect(isPrefetch({ ...none, purpose: 'navigate' })).toBe(false)
  })

  it("the SDK's own requests are recognized by their URL", () => {
    expect(isSdkTransport('http://127.0.0.1:9111/api/43/envelope/?sentry_key=a')).toBe(true)
    expect(isSdkTransport('https://x/api/43/envelopes')).toBe(false)
    expect(isSdkTransport('https://x/api/items/43')).toBe(false)
  })
})

it('a search accepts every spelling of a route, also with wildcards', () => {
  for (const spelling of ['/users/[id]', '/users/:id', 'GET /users/:id', '/users/{id}'])
    expect(routeParts([spelling])).toEqual(['/users/[id]'])
  expect(routeParts(['no path'])).toEqual(['no path'])
  expect(routeParts(['', '/users/:id'])).toEqual(['', '/users/[id]'])
  expect(routeParts(['/users/:id/', ''])).toEqual(['/users/[id]/', ''])
})
