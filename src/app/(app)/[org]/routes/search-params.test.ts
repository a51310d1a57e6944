import { describe, expect, it } from 'vitest'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { readRouteParams, routeHref, routeOfAddress, routesHref } from './search-params.ts'

const plain = readRouteParams({})
/** Next passes segments to a page still encoded. */
const segmentsOf = (href: string) => (href.split('?')[0] ?? '').split('/').slice(3)

describe('the URL of a route', () => {
  it.each([
    ['/', '/acme/routes/_'],
    [unmatchedRoute, '/acme/routes/_unmatched'],
    ['/items/[id]', '/acme/routes/items/%5Bid%5D'],
    ['/docs/[[...slug]]', '/acme/routes/docs/%5B%5B...slug%5D%5D'],
    ['/a b/ü%2F', '/acme/routes/a%20b/%C3%BC%252F'],
  ])('maps %s to %s and back', (route, href) => {
    expect(routeHref('acme', route, plain)).toBe(href)
    expect(routeOfAddress(segmentsOf(href))).toBe(route)
  })

  it('cannot leave the routes page, whatever an SDK sends as a route', () => {
    expect(routeHref('acme', '/../../settings', plain)).toBe('/acme/routes')
    expect(routeOfAddress(['%E0%A4%A'])).toBeNull()
  })
})

it('the URL holds only what differs from the defaults', () => {
  expect(routesHref('acme', plain)).toBe('/acme/routes')
  const chosen = readRouteParams({ range: '30d', view: 'failing', sort: 'lcp', q: ' items ', project: 'web,api' })
  expect(routesHref('acme', chosen)).toBe('/acme/routes?project=web%2Capi&range=30d&view=failing&sort=lcp&q=items')
  const moments = readRouteParams({ start: '1794709200000', end: '1794712800000', view: 'failing' })
  expect(routesHref('acme', moments)).toBe('/acme/routes?start=1794709200000&end=1794712800000&view=failing')
  expect(routeHref('acme', '/cart', moments)).toBe('/acme/routes/cart?start=1794709200000&end=1794712800000')
  expect(readRouteParams({ range: 'ever', sort: 'x', view: '3', chart: ['a'] })).toEqual({
    ...plain,
    ignored: expect.any(Array),
  })
})
