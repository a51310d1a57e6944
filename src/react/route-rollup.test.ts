import { expect, it } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { listCaptures, readCapture } from '../../test/read-capture.ts'
import { rollUpRoutes } from './route-rollup.ts'

const spansOf = (scenario: string) =>
  listCaptures(scenario).flatMap(name => {
    const context = { recordId: name, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
    return processRecord(readCapture(name), context).rows.spans ?? []
  })

/** Counts of one route by `measure detail`. */
function countsOf(rows: ReturnType<typeof rollUpRoutes>, route: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows.filter(each => each.route === route)) {
    const key = `${row.measure} ${row.detail}`.trim()
    counts[key] = (counts[key] ?? 0) + row.count
  }
  return counts
}

it('a click is one navigation and one request, however many spans middleware and prefetches add', () => {
  const rows = rollUpRoutes(spansOf('next-navigation'), [])
  expect(countsOf(rows, '/items/[id]')).toEqual({
    'navigation push': 2,
    'request rsc': 2,
    'fetch rsc': 2,
    'cold push': 2,
    prefetch: 2,
    'lcp soft': 2,
    'cls soft': 2,
  })
  expect(countsOf(rows, '/')).toEqual({
    'request document': 1,
    page_load: 1,
    'navigation back': 1,
    prefetch: 1,
    long_frame: 1,
    'lcp hard': 1,
    'cls hard': 1,
    'inp hard': 1,
    'ttfb hard': 1,
    'fcp hard': 1,
  })
})

it('spans without a route and the SDK’s own requests are not counted', () => {
  const rows = rollUpRoutes(spansOf('next-navigation'), [])
  expect(new Set(rows.map(({ route }) => route))).toEqual(new Set(['/', '/items/[id]']))
})

it('sums do not depend on how spans are split into batches', () => {
  const spans = spansOf('next-navigation')
  const joint = countsOf(rollUpRoutes(spans, []), '/items/[id]')
  const halves = [spans.slice(0, 60), spans.slice(60)].flatMap(part => rollUpRoutes(part, []))
  expect(countsOf(halves, '/items/[id]')).toEqual(joint)
})

it('a server action counts as a request of its page, and so does its failure', () => {
  const rows = rollUpRoutes(spansOf('next-server-action'), []).filter(({ route }) => route === '/action')
  const actions = rows.filter(({ measure, detail }) => measure === 'request' && detail === 'action')
  expect(actions.reduce((sum, { failed }) => sum + failed, 0)).toBeGreaterThanOrEqual(1)
  expect(countsOf(rows, '/action')['status 5xx']).toBe(actions.reduce((sum, { failed }) => sum + failed, 0))
})

it('errors count for their route by weight and kind', () => {
  const error = {
    project_id: 1,
    timestamp: 1_794_700_000_000,
    retention_days: 90,
    weight: 1,
    is_handled: false,
    route: '/cart',
    environment: 'production',
    release: 'shop@1.0.0',
    os_name: 'iOS',
    device: 'Apple iPhone',
    group_hash: 'a'.repeat(32),
    received_at: 5,
    kind: '' as const,
  }
  const rows = rollUpRoutes([], [error, { ...error, kind: 'hydration' }, { ...error, kind: 'skew', weight: 20 }])
  expect(countsOf(rows, '/cart')).toEqual({ error: 1, 'error hydration': 1, 'error skew': 20 })
  expect(rows[0]).toMatchObject({ device: 'mobile', bucket: 1_794_699_900, failed: 1, retention_days: 90 })
})
