import { expect, test } from 'vitest'
import { createPrometheusRegistry } from '#lib/prometheus.ts'
import { createHydrantMetrics } from '#metrics.ts'
import { showReads, showStatements } from './show-counts.ts'

test('after a restart of a child, counters continue and gauges are zero', () => {
  const registry = createPrometheusRegistry()
  const metrics = createHydrantMetrics(registry)
  const statements = showStatements(metrics)
  const reads = showReads(metrics)
  statements.show({ readsRunning: 5, readsWaiting: 2, writesRunning: 1, writesWaiting: 0, cancelled: 40 })
  reads.show({ running: 5, waiting: 90, left: 7, refused: 3 })
  expect(registry.print()).toContain('hydrant_engine_statements{kind="read",state="running"} 5\n')
  expect(registry.print()).toContain('hydrant_reads{state="waiting"} 90\n')
  statements.reset()
  reads.reset()
  expect(registry.print()).toContain('hydrant_engine_statements{kind="read",state="running"} 0\n')
  expect(registry.print()).toContain('hydrant_reads{state="waiting"} 0\n')
  statements.show({ readsRunning: 1, readsWaiting: 0, writesRunning: 0, writesWaiting: 0, cancelled: 2 })
  reads.show({ running: 1, waiting: 0, left: 1, refused: 0 })
  expect(registry.print()).toContain('hydrant_engine_cancelled_total 42\n')
  expect(registry.print()).toContain('hydrant_reads_ended_total{reason="left"} 8\n')
  expect(registry.print()).toContain('hydrant_reads_ended_total{reason="refused"} 3\n')
})
