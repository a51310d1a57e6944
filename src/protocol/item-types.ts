import type { EnvelopeHeaders } from './parse-headers.ts'

/** Item types of the wire: the rate-limit category an SDK expects for each, and how much of it one envelope may carry. */

const KiB = 1024
const MiB = 1024 * KiB

type ItemRule = {
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

export const ingestLimits: EnvelopeLimits = {
  maxEnvelopeBytes: 200 * MiB, // Relay's own: the largest attachment allowed
  maxHeaderBytes: 64 * KiB,
  maxItems: 10_000,
  rule: itemRule,
  maxSpanContainers: 1,
}

/* Counts what one envelope has used of each item type's allowance. */

type Overrun = { code: ScanFaultCode; message: string }

export function createItemBudget(limits: EnvelopeLimits) {
  const used = new Map<string, { count: number; bytes: number }>()
  let itemCount = 0
  let spanContainers = 0

  function open(item: ScannedItem): Overrun | null {
    if (++itemCount > limits.maxItems) return tooMany(item.type)
    if (item.type === 'span' && item.isContainer && ++spanContainers > limits.maxSpanContainers)
      return tooMany(item.type)
    const maxCount = limits.rule(item.type).maxCount
    const soFar = used.get(item.type)?.count ?? 0
    return maxCount !== undefined && soFar + 1 > maxCount ? tooMany(item.type) : null
  }

  /** Cheap enough to ask for every chunk: the item that grows is compared with what is left for it. */
  function check(item: ScannedItem): Overrun | null {
    const rule = limits.rule(item.type)
    const sizeBytes = item.end - item.start
    if (sizeBytes > rule.maxBytes) return tooLarge(item.type)
    const total = sizeBytes + (used.get(item.type)?.bytes ?? 0)
    return rule.maxTotalBytes !== undefined && total > rule.maxTotalBytes ? tooLarge(item.type) : null
  }

  function close(item: ScannedItem): void {
    const rule = limits.rule(item.type)
    if (rule.maxCount === undefined && rule.maxTotalBytes === undefined) return
    const before = used.get(item.type)
    const bytes = item.end - item.start
    used.set(item.type, { count: (before?.count ?? 0) + 1, bytes: (before?.bytes ?? 0) + bytes })
  }

  return { open, check, close }
}

const tooMany = (type: string): Overrun => ({
  code: 'too_many_items',
  message: `envelope holds too many items of type '${shorten(type)}'`,
})
const tooLarge = (type: string): Overrun => ({
  code: 'item_too_large',
  message: `envelope exceeded size limits for type '${shorten(type)}'`,
})

/** The type is the sender's text and goes into a response header and a log line. */
const shorten = (type: string) => type.replace(/[^\w.-]/g, '?').slice(0, 40)

/* What the scanner says about an envelope: where its items are, or what is wrong with it. */

export type ScanFaultCode =
  | 'empty'
  | 'invalid_header'
  | 'invalid_item_header'
  | 'no_items'
  | 'unexpected_end'
  | 'header_too_large'
  | 'item_too_large'
  | 'too_many_items'
  | 'envelope_too_large'

export type ScanFault = { code: ScanFaultCode; message: string; itemType: string | null }

/** Offsets count bytes from the envelope's start; `end` is the byte after the last. */
export type ScannedItem = {
  type: string
  itemCount: number | null
  isContainer: boolean
  headerStart: number
  headerEnd: number
  start: number
  end: number
}

export type ScanResult = {
  headers: EnvelopeHeaders | null
  items: ScannedItem[]
  sizeBytes: number
  fault: ScanFault | null
}
