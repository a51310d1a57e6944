import { expect, test } from 'vitest'
import { createPrometheusRegistry } from './prometheus.ts'

test('counters and gauges are printed in the format of Prometheus', () => {
  const registry = createPrometheusRegistry()
  const plain = registry.counter('a_total', 'Plain.')
  const labeled = registry.counter('b_total', 'With labels.', ['type'])
  const gauge = registry.gauge('c', 'Asked for.')
  registry.onCollect(() => gauge.set(7))
  expect(registry.print()).toContain('a_total 0\n')
  plain.inc()
  labeled.inc({ type: 'event' }, 2)
  labeled.inc({ type: 'event' })
  labeled.inc({ type: 'quote " and \\ and \n' })
  expect(registry.print()).toBe(
    '# HELP a_total Plain.\n# TYPE a_total counter\na_total 1\n' +
      '# HELP b_total With labels.\n# TYPE b_total counter\nb_total{type="event"} 3\nb_total{type="quote \\" and \\\\ and \\n"} 1\n' +
      '# HELP c Asked for.\n# TYPE c gauge\nc 7\n',
  )
})

test('invented label values are limited', () => {
  const registry = createPrometheusRegistry()
  const counter = registry.counter('items_total', 'Items.', ['type'])
  for (let index = 0; index < 5000; index++) counter.inc({ type: `type-${index}` })
  const text = registry.print()
  expect(text.split('\n').length).toBeLessThan(2010)
  expect(text).toContain('items_total{type="other"} 3000')
})

test('a metric name is unique', () => {
  const registry = createPrometheusRegistry()
  registry.gauge('up', 'Up.')
  expect(() => registry.counter('up', 'Up.')).toThrow('up')
})
