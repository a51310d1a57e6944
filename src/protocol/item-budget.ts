/** Counts what one envelope has used of each item type's allowance. */

import type { EnvelopeLimits } from './item-types.ts'
import type { ScanFaultCode, ScannedItem } from './scan-result.ts'

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
