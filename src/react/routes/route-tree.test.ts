import { expect, test } from 'vitest'
import { isCatchAll, isOfOneVisit, isRootCatchAll, matchesRoute, routeTree } from './route-tree.ts'

test.each([
  ['/', '/', true],
  ['/', '/a', false],
  ['/items/[id]', '/items/1', true],
  ['/items/[id]', '/items', false],
  ['/items/[id]', '/items/1/edit', false],
  ['/lang/[[lang]]', '/lang', true],
  ['/lang/[[lang]]', '/lang/de', true],
  ['/[[lang]]/about', '/about', true],
  ['/[[lang]]/about', '/de/about', true],
  ['/[[lang]]/about', '/de/at/about', false],
  ['/docs/[...path]', '/docs', false],
  ['/docs/[...path]', '/docs/a/b/c', true],
  ['/docs/[[...path]]', '/docs', true],
  ['/[...]', '/nowhere/12', true],
  ['/[category]/items/[id]', '/shop/books/items/7', false],
])('%s and %s: %s', (route, path, isMatch) => {
  expect(matchesRoute(route, path)).toBe(isMatch)
})

test('the most specific route wins at every segment, in any order', () => {
  const routes = ['/[...all]', '/[a]/[b]', '/items/[id]', '/items/new', '/items/[id]/edit', '/items/[...rest]']
  for (const known of [routes, routes.toReversed()]) {
    const { find } = routeTree(known)
    expect(['/items/new', '/items/7', '/items/7/edit', '/items/7/log', '/a/b', '/a/b/c'].map(find)).toEqual([
      '/items/new',
      '/items/[id]',
      '/items/[id]/edit',
      '/items/[...rest]',
      '/[a]/[b]',
      '/[...all]',
    ])
  }
})

test('a branch that leads nowhere is left again', () => {
  const { find } = routeTree(['/shop/[category]/items/[id]', '/[a]/books/sale'])
  expect(find('/shop/books/sale')).toBe('/[a]/books/sale')
  expect(find('/shop/books/items/7')).toBe('/shop/[category]/items/[id]')
})

test('a hundred optional segments do not double the tree a hundred times', () => {
  const route = Array.from({ length: 100 }, (_, at) => `/[[a${at}]]`).join('')
  expect(routeTree([route]).find('/a')).toBeNull()
  expect(matchesRoute('/[[a]]/b/[[c]]/[[d]]', '/b')).toBe(true)
})

test('routes that take any path', () => {
  expect(['/[...]', '/[[...slug]]', '/docs/[...]', '/items/[id]'].map(isCatchAll)).toEqual([true, true, true, false])
  expect(['/[...]', '/[[...slug]]', '/docs/[...]'].map(isRootCatchAll)).toEqual([true, true, false])
})

test.each([
  ['/nowhere/12', true],
  ['/other/5', true],
  ['/u/0b6c4d18f2', true],
  ['/a/d3f1-9c2b-77', true],
  ['/search/a%20b', true],
  [`/${'long-'.repeat(10)}title`, true],
  ['/', false],
  ['/about/team', false],
  ['/v1/oauth2/callback', false],
  ['/loader-404', false],
  ['/decade/facade', false],
  ['/items/[id]', false],
])('%s is the path of one visit: %s', (path, isOne) => {
  expect(isOfOneVisit(path)).toBe(isOne)
})
