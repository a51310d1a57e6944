/** The figures that Hydrant promises on /metrics, made once by main and fed by whoever knows them. */

import type { Counter, Gauge, PrometheusRegistry } from '#lib/prometheus.ts'

export type HydrantMetrics = {
  acknowledged: Counter
  digestItems: Counter
  outcomes: Counter
  inboxDamagedFiles: Gauge
  inboxDamagedRecords: Counter
  inboxBacklog: Gauge
  inboxOldestSeconds: Gauge
  engineUp: Gauge
  telemetryDamagedParts: Gauge
  restarts: Counter
  reconcileRepaired: Counter
}

export function createHydrantMetrics(registry: PrometheusRegistry): HydrantMetrics {
  return {
    acknowledged: registry.counter(
      'hydrant_ingest_acknowledged_total',
      'Requests answered with success after their envelope was safe on disk.',
    ),
    digestItems: registry.counter(
      'hydrant_digest_items_total',
      'Envelope items digested, by item type; a container is one.',
      ['type'],
    ),
    outcomes: registry.counter(
      'hydrant_outcomes_total',
      'What was refused, dropped or discarded, by category and reason.',
      ['category', 'reason'],
    ),
    inboxDamagedFiles: registry.gauge(
      'hydrant_inbox_damaged_files',
      'Files in inbox/damaged, kept until somebody deletes them.',
    ),
    inboxDamagedRecords: registry.counter(
      'hydrant_inbox_damaged_records_total',
      'Damaged parts of the inbox since the start, each at least one acknowledged record.',
    ),
    inboxBacklog: registry.gauge('hydrant_inbox_backlog', 'Records in the inbox that digest has not finished.'),
    inboxOldestSeconds: registry.gauge(
      'hydrant_inbox_oldest_seconds',
      'Age of the oldest record that digest has not finished.',
    ),
    restarts: registry.counter(
      'hydrant_child_restarts_total',
      'Times a part of Hydrant had to be started again, by part and reason: exit, signal or hung.',
      ['child', 'reason'],
    ),
    telemetryDamagedParts: registry.gauge(
      'hydrant_telemetry_damaged_parts',
      'Damaged parts of the embedded engine’s tables, put aside with their rows and kept.',
    ),
    reconcileRepaired: registry.counter(
      'hydrant_reconcile_repaired_total',
      'Differences between stored events and what is derived from them that were repaired, by kind: issues, totals, hours, days or index.',
      ['kind'],
    ),
    engineUp: registry.gauge('hydrant_engine_up', '1 when the telemetry engine answers, else 0.'),
  }
}
