/** The item types of the protocol: the rate-limit category that SDKs expect for each, and its limits per envelope. */
import type { EnvelopeHeaders } from './parse-headers.ts'

const KiB = 1024
const MiB = 1024 * KiB

type ItemRule = {
  category: string
  /** One item's payload, in bytes. */
  maxBytes: number
  /** All items of this type in one envelope together, in bytes. */
  maxTotalBytes?: number
  maxCount?: number
  /** Digest stores the payload as a blob; all other payloads are JSON. */
  isBlob?: boolean
}

/** Relay has the same limits, so SDKs truncate to them. A container of v2 items holds many and may be larger. */
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
  // Relay's limit; the documentation says 4 KiB, which the report of a busy server can exceed.
  ['client_report', { category: 'internal', maxBytes: 100 * KiB, maxTotalBytes: 100 * KiB, maxCount: 100 }],
  ['check_in', { category: 'monitor', maxBytes: 100 * KiB }],
  ['attachment', { category: 'attachment', maxBytes: 200 * MiB, maxTotalBytes: 200 * MiB, maxCount: 30, isBlob: true }],
  ['replay_event', { category: 'replay', maxBytes: eventBytes }],
  // Compressed; digest limits the decompressed size.
  ['replay_recording', { category: 'replay', maxBytes: 10 * MiB, maxCount: 1, isBlob: true }],
  ['replay_video', { category: 'replay', maxBytes: 50 * MiB, maxCount: 1, isBlob: true }],
  ['profile', { category: 'profile', maxBytes: 50 * MiB, isBlob: true }],
  ['profile_chunk', { category: 'profile', maxBytes: 50 * MiB, isBlob: true }],
  ['statsd', { category: 'metric_bucket', maxBytes: 1 * MiB }],
  ['metric_buckets', { category: 'metric_bucket', maxBytes: 1 * MiB }],
  ['form_data', { category: 'default', maxBytes: 1 * MiB }],
])

/** A future type may be as large as any known one; digest only counts it. */
const unknownRule: ItemRule = { category: 'default', maxBytes: 200 * MiB, isBlob: true }

export const itemRule = (type: string): ItemRule => rules.get(type) ?? unknownRule

export type EnvelopeLimits = {
  /** The whole envelope after decompression, in bytes. */
  maxEnvelopeBytes: number
  /** One header line, in bytes. It is buffered whole to be parsed; real ones stay below 2 KiB. */
  maxHeaderBytes: number
  /** Limits the memory for the list of items. */
  maxItems: number
  rule: (type: string) => ItemRule
  /** Containers of v2 spans in one envelope: SDKs send one trace at a time. */
  maxSpanContainers: number
}

export const ingestLimits: EnvelopeLimits = {
  maxEnvelopeBytes: 200 * MiB, // as in Relay: the largest attachment
  maxHeaderBytes: 64 * KiB,
  maxItems: 10_000,
  rule: itemRule,
  maxSpanContainers: 1,
}

type Overrun = { code: ScanFaultCode; message: string }

/** Counts how much of the limits of each item type an envelope has used. */
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

  /** Cheap enough to call for every chunk of a growing item. */
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

/** The type comes from the sender, and goes into a response header and the log. */
const shorten = (type: string) => type.replace(/[^\w.-]/g, '?').slice(0, 40)

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

/** Offsets in bytes from the start of the envelope; `end` is exclusive. */
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
