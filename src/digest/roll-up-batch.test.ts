import { expect, test } from 'vitest'
import { makeRecord, testContext } from '../../test/make-record.ts'
import { processRecord } from './process-record.ts'
import { rollUpBatch } from './roll-up-batch.ts'

test.each([
  ['/legacy/[slug]', '/legacy/[slug]'],
  ['/cart', '/cart'],
  // A path of one visit is no route.
  ['/other/5', '(unmatched)'],
])('a page that the Pages Router gave up loading is a failure of that page, in its release: %s', (sent, route) => {
  const payload = {
    event_id: 'a'.repeat(32),
    platform: 'javascript',
    release: 'shop@1.2.0',
    transaction: '/cart',
    sdk: { name: 'sentry.javascript.nextjs', version: '11.8.0' },
    exception: { values: [{ type: 'Error', value: `Route did not complete loading: ${sent}` }] },
  }
  const { rows, groupedEvents } = processRecord(makeRecord([{ type: 'event', payload }]), testContext)
  const sums = rollUpBatch({ rows: { spans: [], events: rows.events ?? [] }, groupedEvents })
  expect(sums.map(sum => [sum.route, sum.release, sum.measure, sum.detail, sum.count])).toEqual([
    [route, 'shop@1.2.0', 'error', 'route_load', 1],
  ])
})
