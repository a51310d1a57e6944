/**
 * The rows of Routes for the recorded apps of other frameworks: page views, requests to the server and errors of each route. They are
 * the same in whatever order the requests of a visit arrive, however they are cut into batches, and when a batch is repeated.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import type { InboxRecord } from '#inbox/record.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { digestCaptures, type RouteCounts } from './digest-captures.ts'
import { readFrameworkCaptures } from './read-framework-captures.ts'

const expected: Record<string, Record<string, readonly [views: number, requests: number, errors: number]>> = {
  rr: {
    [unmatchedRoute]: [2, 2, 2],
    '/': [13, 13, 0],
    '/action': [6, 7, 1],
    '/client-error': [1, 1, 3],
    '/client-loader-error': [1, 0, 1],
    '/deferred': [2, 2, 0],
    '/deferred-error': [1, 1, 0],
    '/docs/[...]': [3, 3, 0],
    '/items/[id]': [7, 10, 0],
    '/lang/[[lang]]': [2, 2, 0],
    '/lazy': [1, 1, 1],
    '/loader-404': [2, 0, 0],
    '/loader-500': [1, 1, 0],
    '/loader-data-404': [1, 0, 0],
    '/loader-error': [2, 2, 2],
    '/loader-redirect': [1, 1, 0],
    '/log': [1, 1, 0],
    '/middleware': [1, 1, 0],
    '/mismatch-element': [1, 1, 1],
    '/mismatch-text': [1, 1, 1],
    '/render-error': [1, 1, 1],
    '/shop': [1, 1, 0],
    '/shop/[category]/items/[id]': [2, 2, 0],
    '/slow': [3, 3, 0],
  },
  rr3: {
    '/': [6, 6, 0],
    '/action': [2, 3, 0],
    '/client-loader-error': [1, 0, 1],
    '/docs/[...]': [1, 1, 0],
    '/items/[id]': [3, 4, 0],
    '/loader-404': [1, 0, 0],
    '/loader-500': [1, 1, 0],
    '/loader-data-404': [1, 0, 0],
    '/loader-error': [1, 1, 1],
    '/loader-redirect': [1, 1, 0],
    '/shop': [1, 1, 0],
    '/shop/[category]/items/[id]': [2, 2, 0],
  },
  // A loader that throws 404 leaves nothing on the wire that names its route.
  remix: {
    [unmatchedRoute]: [2, 3, 0],
    '/': [5, 6, 0],
    '/action': [2, 4, 1],
    '/client-error': [1, 1, 4],
    '/deferred-error': [1, 1, 0],
    '/docs/[...]': [1, 1, 0],
    '/items/[id]': [6, 7, 1],
    '/lazy': [1, 1, 1],
    '/loader-error': [1, 2, 2],
    '/loader-redirect': [0, 1, 0],
    '/mismatch-element': [1, 1, 2],
    '/mismatch-text': [1, 1, 3],
    '/render-error': [1, 1, 1],
    '/shop/[category]/items/[id]': [2, 2, 0],
  },
  // Server functions are requests of the page that calls them.
  tss: {
    [unmatchedRoute]: [2, 1, 1],
    '/': [8, 17, 0],
    '/action': [3, 7, 1],
    '/client-error': [1, 1, 2],
    '/deferred': [2, 2, 0],
    '/deferred-error': [1, 1, 1],
    '/docs/[...]': [4, 2, 0],
    '/heavy-part': [1, 1, 0],
    '/items/[id]': [9, 10, 3],
    '/lang/[[lang]]': [2, 2, 0],
    '/loader-404': [2, 1, 0],
    '/loader-error': [2, 2, 2],
    '/log': [1, 1, 0],
    '/mismatch-element': [1, 1, 1],
    '/mismatch-text': [1, 1, 1],
    '/render-error': [1, 1, 0],
    '/shop/[category]/items/[id]': [2, 1, 0],
    '/slow': [2, 2, 0],
  },
  tss2: {
    '/': [4, 8, 0],
    '/action': [1, 2, 0],
    '/client-error': [1, 1, 3],
    '/docs/[...]': [2, 1, 1],
    '/heavy-part': [1, 1, 1],
    '/items/[id]': [3, 4, 0],
    '/loader-404': [2, 1, 0],
    '/loader-error': [2, 2, 2],
    '/render-error': [1, 1, 0],
  },
  // A page of this app for all other paths is a route. Some requests are of an Astro app.
  vite: {
    '/': [1, 2, 0],
    '/[...]': [2, 3, 1],
    '/action': [1, 1, 1],
    '/api/items/[id]': [0, 6, 0],
    '/api/save': [0, 2, 1],
    '/client-error': [1, 1, 3],
    '/deferred': [1, 1, 0],
    '/deferred-error': [1, 1, 1],
    '/docs/[...]': [2, 1, 0],
    '/docs/[...slug]': [0, 1, 0],
    '/items/[id]': [4, 3, 1],
    '/lazy': [1, 1, 1],
    '/loader-error': [0, 2, 2],
    '/log': [1, 1, 0],
    '/mismatch-element': [1, 1, 1],
    '/mismatch-text': [1, 1, 1],
    '/render-error': [0, 1, 1],
    '/shop/[category]/items/[id]': [2, 2, 0],
    '/slow': [0, 1, 0],
  },
  // The page loads of these recordings are not in the fixture: their envelopes hold replays.
  pages: {
    '/': [0, 5, 0],
    '/_error': [0, 4, 0],
    '/action': [0, 1, 1],
    '/api/save': [0, 2, 1],
    '/client-error': [0, 1, 3],
    '/docs/[[...slug]]': [1, 0, 0],
    '/items/[id]': [3, 7, 1],
    '/lazy': [0, 1, 0],
    '/loader-404': [1, 2, 0],
    '/loader-error': [1, 3, 3],
    '/loader-redirect': [1, 2, 0],
    '/log': [0, 1, 0],
    '/mismatch-element': [0, 1, 1],
    '/mismatch-text': [0, 1, 1],
    '/render-error': [0, 1, 1],
    '/shop/[category]/[id]': [1, 1, 0],
    '/slow': [1, 1, 0],
  },
  astro: {
    '/': [1, 1, 0],
    '/404': [1, 0, 0],
    '/api/save': [0, 1, 1],
    '/docs/[...slug]': [2, 2, 0],
    '/items/[id]': [9, 9, 7],
    '/loader-error': [0, 1, 1],
    '/mismatch-element': [1, 1, 1],
    '/mismatch-text': [1, 1, 1],
    '/render-error': [0, 1, 1],
    '/shop/[category]/items/[id]': [1, 1, 0],
    '/slow': [1, 1, 0],
  },
  // No pattern is on the wire. The router's request for the first page names it.
  waku: {
    [unmatchedRoute]: [9, 26, 3],
    '/': [4, 8, 0],
  },
}

const shownMeasures = [['page_load', 'navigation'], ['request'], ['error']]

const rowsOf = (counts: RouteCounts) =>
  Object.fromEntries(
    Object.entries(counts).map(([route, own]) => [
      route,
      shownMeasures.map(measures =>
        Object.entries(own).reduce(
          (sum, [name, n]) => (measures.includes(name.split(' ')[0] ?? '') ? sum + n : sum),
          0,
        ),
      ),
    ]),
  )

describe.each(Object.entries(expected))('%s', (app, rows) => {
  const visits = [...readFrameworkCaptures(app).values()]
  let oneByOne: RouteCounts
  beforeAll(async () => {
    oneByOne = await digestCaptures(visits.flat().map(record => [record]))
  })

  test('has a row for each of its routes', () => {
    const wanted = Object.fromEntries(Object.entries(rows).map(([route, counts]) => [route, [...counts]]))
    expect(rowsOf(oneByOne)).toEqual(wanted)
  })

  test('counts the same in one batch', async () => {
    expect(await digestCaptures([visits.flat()])).toEqual(oneByOne)
  })

  test('counts the same with each visit backwards, in batches of three', async () => {
    const backwards = visits.flatMap(inTimes)
    const batches = Array.from({ length: Math.ceil(backwards.length / 3) }, (_, at) =>
      backwards.slice(at * 3, at * 3 + 3),
    )
    expect(await digestCaptures(batches, { isAhead: true })).toEqual(oneByOne)
  })
})

test('astro: an action counts on the page that called it, in any order', async () => {
  // The recorded app has an endpoint of its own: as an action, it has this path.
  const visit = (readFrameworkCaptures('astro').get('astro-action') ?? []).map(({ head, body }) => ({
    head,
    body: Buffer.from(body.toString().replaceAll('/api/save', '/_actions/save')),
  }))
  const counts = await digestCaptures(visit.map(record => [record]))
  const actions = Object.entries(counts).flatMap(([route, own]) =>
    own['request action'] === undefined ? [] : [[route, own['request action']]],
  )
  expect(actions).toEqual([['/items/[id]', 1]])
  expect(await digestCaptures(visit.toReversed().map(record => [record]))).toEqual(counts)
})

/** The last request first, at the times of arrival. */
const inTimes = (visit: readonly InboxRecord[]): InboxRecord[] =>
  visit
    .toReversed()
    .map(({ head, body }, at) => ({ head: { ...head, receivedAt: visit[at]?.head.receivedAt ?? 0 }, body }))
