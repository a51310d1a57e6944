/** Item types of the wire: the rate-limit category an SDK expects for each, and how much of it one envelope may carry. */

const KiB = 1024
const MiB = 1024 * KiB

export type ItemRule = {
  category: string
  /** One item's payload, in bytes. */
  maxBytes: number
  /** All items of this type in one envelope together, in bytes. */
  maxTotalBytes?: number
  maxCount?: number
  /** Its payload is one blob that digest stores as it is; everything else is JSON that digest reads. */
  isBlob?: boolean
}

/** Relay refuses above the same figures, so SDKs truncate to them; a container of v2 items holds many and gets more. */
const eventBytes = 1 * MiB
const containerBytes = 12 * MiB

const rules = new Map<string, ItemRule>([
  ['event', { category: 'error', maxBytes: eventBytes, maxCount: 1 }],
  ['transaction', { category: 'transaction', maxBytes: eventBytes, maxCount: 1 }],
  ['feedback', { category: 'feedback', maxBytes: eventBytes }],
  ['user_report', { category: 'default', maxBytes: eventBytes }],
  ['raw_security', { category: 'security', maxBytes: eventBytes }],
  ['security', { category: 'security', maxBytes: eventBytes }],
  ['span', { category: 'span', maxBytes: containerBytes }],
  ['log', { category: 'log_item', maxBytes: containerBytes }],
  ['trace_metric', { category: 'trace_metric', maxBytes: containerBytes }],
  ['session', { category: 'session', maxBytes: 10 * MiB, maxTotalBytes: 10 * MiB, maxCount: 100 }],
  ['sessions', { category: 'session', maxBytes: 10 * MiB, maxTotalBytes: 10 * MiB, maxCount: 100 }],
  // Relay's figure; the documentation says 4 KiB, which a busy server's report can exceed.
  ['client_report', { category: 'internal', maxBytes: 100 * KiB, maxTotalBytes: 100 * KiB, maxCount: 100 }],
  ['check_in', { category: 'monitor', maxBytes: 100 * KiB }],
  ['attachment', { category: 'attachment', maxBytes: 200 * MiB, maxTotalBytes: 200 * MiB, maxCount: 30, isBlob: true }],
  ['replay_event', { category: 'replay', maxBytes: eventBytes }],
  // As it travels, which is compressed; digest bounds what it inflates to.
  ['replay_recording', { category: 'replay', maxBytes: 10 * MiB, maxCount: 1, isBlob: true }],
  ['replay_video', { category: 'replay', maxBytes: 50 * MiB, maxCount: 1, isBlob: true }],
  ['profile', { category: 'profile', maxBytes: 50 * MiB, isBlob: true }],
  ['profile_chunk', { category: 'profile', maxBytes: 50 * MiB, isBlob: true }],
  ['statsd', { category: 'metric_bucket', maxBytes: 1 * MiB }],
  ['metric_buckets', { category: 'metric_bucket', maxBytes: 1 * MiB }],
  ['form_data', { category: 'default', maxBytes: 1 * MiB }],
])

/** A type of tomorrow may be as large as anything known today; digest counts it and lets it go. */
const unknownRule: ItemRule = { category: 'default', maxBytes: 200 * MiB, isBlob: true }

export const itemRule = (type: string): ItemRule => rules.get(type) ?? unknownRule

export type EnvelopeLimits = {
  /** The whole envelope after decompression, in bytes. */
  maxEnvelopeBytes: number
  /** One header line, in bytes: real ones stay below 2 KiB, and a line must be held whole to be parsed. */
  maxHeaderBytes: number
  /** Bounds the list that one request may make us hold. */
  maxItems: number
  rule: (type: string) => ItemRule
  /** Containers of v2 spans in one envelope: SDKs send one trace at a time. */
  maxSpanContainers: number
}

export const doorLimits: EnvelopeLimits = {
  maxEnvelopeBytes: 200 * MiB, // Relay's own: the largest attachment allowed
  maxHeaderBytes: 64 * KiB,
  maxItems: 10_000,
  rule: itemRule,
  maxSpanContainers: 1,
}
