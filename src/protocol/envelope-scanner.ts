/**
 * Checks the framing and limits of an envelope while its chunks stream in. It only keeps the current header line and a small entry
 * per item, never a payload.
 */
import type { EnvelopeLimits, ScanFault, ScanFaultCode, ScannedItem, ScanResult } from './item-types.ts'
import { createItemBudget } from './item-types.ts'
import { type EnvelopeHeaders, parseEnvelopeHeaders, parseItemHeaders } from './parse-headers.ts'

type EnvelopeScanner = {
  push(chunk: Buffer): ScanFault | null
  /** Available as soon as the first line is complete: the tunnel needs the DSN before the rest arrives. */
  headers(): EnvelopeHeaders | null
  /** The items so far; all of them after `end`. */
  items(): ScannedItem[]
  end(): ScanResult
}

const newline = 0x0a
const openBrace = 0x7b

export function createEnvelopeScanner(limits: EnvelopeLimits): EnvelopeScanner {
  const budget = createItemBudget(limits)
  const items: ScannedItem[] = []
  let headers: EnvelopeHeaders | null = null
  let fault: ScanFault | null = null
  let state: 'header' | 'item-header' | 'line-payload' | 'sized-payload' = 'header'
  /** Where the current chunk begins in the envelope. */
  let base = 0
  let held: Buffer[] = []
  let heldBytes = 0
  let item: ScannedItem | null = null

  const fail = (code: ScanFaultCode, message: string, itemType: string | null = item?.type ?? null) => {
    fault ??= { code, message, itemType }
  }

  function push(chunk: Buffer): ScanFault | null {
    if (fault === null && base + chunk.length > limits.maxEnvelopeBytes) {
      fail('envelope_too_large', `envelope exceeded the size limit of ${limits.maxEnvelopeBytes} bytes`)
    }
    let at = 0
    while (at < chunk.length && fault === null) {
      if (state === 'line-payload') at = passLinePayload(chunk, at)
      else if (state === 'sized-payload') at = passSizedPayload(chunk, at)
      else at = readHeaderLine(chunk, at)
    }
    base += chunk.length
    return fault
  }

  function readHeaderLine(chunk: Buffer, from: number): number {
    const at = heldBytes === 0 && state === 'item-header' ? skipBlank(chunk, from) : from
    if (at === chunk.length) return at
    // A line that does not begin like a JSON object is invalid; there is no need to wait for its newline.
    if (heldBytes === 0 && chunk[at] !== openBrace) {
      failHeader()
      return at
    }
    const found = chunk.indexOf(newline, at)
    const end = found === -1 ? chunk.length : found
    if (heldBytes + end - at > limits.maxHeaderBytes) {
      fail('header_too_large', `a header line exceeded the size limit of ${limits.maxHeaderBytes} bytes`)
      return end
    }
    if (found === -1) {
      // A copy, because the chunk may be a view into a buffer that is reused.
      held.push(Buffer.from(chunk.subarray(at, end)))
      heldBytes += end - at
      return end
    }
    const headerStart = base + at - heldBytes
    takeHeaderLine(
      heldBytes === 0 ? chunk.toString('utf8', at, end) : joinHeld(chunk.subarray(at, end)),
      headerStart,
      base + end,
    )
    return end + 1
  }

  function joinHeld(rest: Buffer): string {
    const text = Buffer.concat([...held, rest]).toString('utf8')
    held = []
    heldBytes = 0
    return text
  }

  /** `nextAt` is where the payload begins: after the newline, if there was one. */
  function takeHeaderLine(line: string, headerStart: number, headerEnd: number, nextAt = headerEnd + 1) {
    if (state === 'header') {
      headers = parseEnvelopeHeaders(line)
      if (headers === null) failHeader()
      state = 'item-header'
      return
    }
    const parsed = parseItemHeaders(line)
    if (parsed === null) {
      failHeader()
      return
    }
    const isContainer = parsed.content_type?.startsWith('application/vnd.sentry.items.') ?? false
    const itemCount = parsed.item_count ?? null
    const end = nextAt + (parsed.length ?? 0)
    item = { type: parsed.type, itemCount, isContainer, headerStart, headerEnd, start: nextAt, end }
    items.push(item)
    state = parsed.length === undefined ? 'line-payload' : 'sized-payload'
    const over = budget.open(item)
    if (over !== null) fail(over.code, over.message)
    else if (parsed.length !== undefined) checkSize(item)
    if (parsed.length === 0) closeItem()
  }

  function passLinePayload(chunk: Buffer, at: number): number {
    const found = chunk.indexOf(newline, at)
    const end = found === -1 ? chunk.length : found
    if (item !== null) {
      item.end = base + end
      checkSize(item)
    }
    if (found === -1) return end
    closeItem()
    return end + 1
  }

  function passSizedPayload(chunk: Buffer, at: number): number {
    const left = (item?.end ?? 0) - (base + at)
    if (left > chunk.length - at) return chunk.length
    closeItem()
    return at + left
  }

  function checkSize(open: ScannedItem) {
    const over = budget.check(open)
    if (over !== null) fail(over.code, over.message)
  }

  function closeItem() {
    if (item !== null) budget.close(item)
    item = null
    state = 'item-header'
  }

  function failHeader() {
    if (state === 'header') fail('invalid_header', 'invalid envelope: its first line is not a JSON object')
    else fail('invalid_item_header', `invalid envelope: the header of item ${items.length + 1} is not valid`)
  }

  function end(): ScanResult {
    if (fault === null && heldBytes > 0) {
      const headerStart = base - heldBytes
      takeHeaderLine(joinHeld(Buffer.alloc(0)), headerStart, base, base)
    }
    if (fault === null) {
      if (base === 0) fail('empty', 'empty request body')
      else if (state === 'sized-payload')
        fail('unexpected_end', 'invalid envelope: an item is shorter than its length says')
      else if (items.length === 0) fail('no_items', 'invalid envelope: it has no items')
    }
    if (state === 'line-payload') closeItem()
    return { headers, items, sizeBytes: base, fault }
  }

  return { push, end, headers: () => headers, items: () => items }
}

/** Whitespace between items has no meaning. */
function skipBlank(chunk: Buffer, from: number): number {
  let at = from
  while (at < chunk.length && (chunk[at] === newline || chunk[at] === 0x0d || chunk[at] === 0x20 || chunk[at] === 0x09))
    at++
  return at
}
