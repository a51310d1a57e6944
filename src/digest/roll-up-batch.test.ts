import { expect, test } from 'vitest'
import { makeRecord, testContext } from '../../test/make-record.ts'
import { processRecord } from './process-record.ts'
import { rollUpBatch } from './roll-up-batch.ts'

test('a page that the Pages Router gave up loading is a failure of that page, in its release', () => {
  const payload = {
    event_id: 'a'.repeat(32),
    platform: 'javascript',
    release: 'shop@1.2.0',
    transaction: '/cart',
    sdk: { name: 'sentry.javascript.nextjs', version: '11.8.0' },
    exception: { values: [{ type: 'Error', value: 'Route did not complete loading: /legacy/[slug]' }] },
  }
  const { rows, groupedEvents } = processRecord(makeRecord([{ type: 'event', payload }]), testContext)
  const sums = rollUpBatch({ rows: { spans: [], events: rows.events ?? [] }, groupedEvents })
  expect(sums.map(({ route, release, measure, detail, count }) => [route, release, measure, detail, count])).toEqual([
    ['/legacy/[slug]', 'shop@1.2.0', 'error', 'route_load', 1],
  ])
})
