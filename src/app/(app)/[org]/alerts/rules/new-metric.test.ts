import { expect, test } from 'vitest'
import { newMetricHref, readNewMetric } from './new-metric.ts'

const given = {
  name: 'cart <*> locked',
  metric: 'logs' as const,
  query: 'pattern:00000000000000ff',
  above: 12,
  minutes: 5,
  project: 'web',
  environment: 'production',
}
const paramsOf = (href: string) => Object.fromEntries(new URL(href, 'http://hydrant.test').searchParams)

test('what a page offers is what the editor opens with', () => {
  const read = readNewMetric(paramsOf(newMetricHref('acme', given)))
  expect(read).toMatchObject({
    name: given.name,
    project: 'web',
    config: {
      metric: { dataset: 'logs', measure: 'count()', query: given.query, windowMs: 300_000, critical: 12 },
      environments: ['production'],
    },
  })
})

test('a URL with an unknown number, an endless window or repeated names offers nothing', () => {
  const known = paramsOf(newMetricHref('acme', given))
  for (const wrong of [{ metric: 'cpu' }, { minutes: '999999' }, { above: 'many' }, { query: ['a', 'b'] }])
    expect(readNewMetric({ ...known, ...wrong })).toBeNull()
})
