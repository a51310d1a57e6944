/** The metrics that Hydrant itself adds to /metrics. Main creates them once and passes them on. */
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
  engineStatements: Gauge
  engineCancelled: Counter
  reads: Gauge
  readsEnded: Counter
  telemetryDamagedParts: Gauge
  restarts: Counter
  reconcileRepaired: Counter
  deliveries: Counter
  deliverySeconds: Counter
  outboxMessages: Gauge
  outboxOldestSeconds: Gauge
  channels: Gauge
  alertsHeld: Gauge
}

export function createHydrantMetrics(registry: PrometheusRegistry): HydrantMetrics {
  return {
    acknowledged: registry.counter(
      'hydrant_ingest_acknowledged_total',
      'Requests acknowledged with success after their envelope was durable on disk.',
    ),
    digestItems: registry.counter(
      'hydrant_digest_items_total',
      'Envelope items digested, by item type; a container is one.',
      ['type'],
    ),
    outcomes: registry.counter(
      'hydrant_outcomes_total',
      'Items that were refused, filtered, rate limited or invalid, by category and reason.',
      ['category', 'reason'],
    ),
    inboxDamagedFiles: registry.gauge(
      'hydrant_inbox_damaged_files',
      'Files in inbox/damaged. They are kept until an operator deletes them.',
    ),
    inboxDamagedRecords: registry.counter(
      'hydrant_inbox_damaged_records_total',
      'Damaged ranges found in the inbox since the start. Each is at least one acknowledged record.',
    ),
    inboxBacklog: registry.gauge('hydrant_inbox_backlog', 'Records in the inbox that digest has not finished.'),
    inboxOldestSeconds: registry.gauge(
      'hydrant_inbox_oldest_seconds',
      'Age of the oldest record that digest has not finished.',
    ),
    restarts: registry.counter(
      'hydrant_child_restarts_total',
      'Restarts of child processes and threads, by child and reason: exit, signal or hung.',
      ['child', 'reason'],
    ),
    telemetryDamagedParts: registry.gauge(
      'hydrant_telemetry_damaged_parts',
      'Damaged parts of the embedded engine’s tables, detached and kept with their rows.',
    ),
    reconcileRepaired: registry.counter(
      'hydrant_reconcile_repaired_total',
      'Repaired differences between stored events and derived data, by kind: issues, totals, hours, days or index.',
      ['kind'],
    ),
    deliveries: registry.counter(
      'hydrant_deliveries_total',
      'Attempts of this node to deliver a message, by kind of channel and outcome: sent, retry, rejected, gone or skipped.',
      ['kind', 'outcome'],
    ),
    deliverySeconds: registry.counter(
      'hydrant_delivery_seconds_total',
      'Time that the attempts of this node took, by kind of channel.',
      ['kind'],
    ),
    outboxMessages: registry.gauge(
      'hydrant_outbox_messages',
      'Messages that wait to be delivered (queued) or were given up (dead), in all organizations.',
      ['state'],
    ),
    outboxOldestSeconds: registry.gauge(
      'hydrant_outbox_oldest_seconds',
      'How long the oldest message has waited since it was due.',
    ),
    engineStatements: registry.gauge(
      'hydrant_engine_statements',
      'Statements at the embedded engine, by kind (read or write) and state (running or waiting).',
      ['kind', 'state'],
    ),
    engineCancelled: registry.counter(
      'hydrant_engine_cancelled_total',
      'Statements at the embedded engine that were cancelled because their client had disconnected.',
    ),
    reads: registry.gauge(
      'hydrant_reads',
      'Reads of the telemetry store for pages and the API, by state: running, or waiting for their turn.',
      ['state'],
    ),
    readsEnded: registry.counter(
      'hydrant_reads_ended_total',
      'Reads for pages and the API without a result, by reason: left (the request ended first) or refused (too many of the member or organization were waiting).',
      ['reason'],
    ),
    channels: registry.gauge(
      'hydrant_channels',
      'Channels of all organizations by how they do: working, waiting (messages are late), retrying, failing or off.',
      ['state'],
    ),
    alertsHeld: registry.gauge(
      'hydrant_alerts_held',
      'Alerts that are collected, to be sent together at the end of a burst or of quiet hours.',
    ),
    engineUp: registry.gauge('hydrant_engine_up', '1 when the telemetry engine responds, otherwise 0.'),
  }
}
