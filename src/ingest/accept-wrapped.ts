/** What came through another door than `/envelope/` is kept as an envelope all the same: digest knows a single shape. */
import { createEnvelopeScanner } from '#protocol/envelope-scanner.ts'
import { doorLimits } from '#protocol/item-types.ts'
import { accept } from './accept.ts'
import { createBodySink } from './body-sink.ts'
import { type Exchange, refuse } from './exchange.ts'
import type { KeyState } from './ports.ts'
import { refuseScan } from './refusal.ts'
import type { Answer } from './respond.ts'

export type WrappedItem = { headers: Record<string, unknown>; payload: Buffer | string }

export async function acceptWrapped(
  exchange: Exchange,
  key: KeyState,
  envelope: Buffer,
  answer: Answer,
): Promise<void> {
  const { house } = exchange
  const scanner = createEnvelopeScanner(doorLimits)
  scanner.push(envelope)
  const scan = scanner.end()
  if (scan.fault !== null) return refuse(exchange, refuseScan(scan.fault), scan.items)
  const sink = createBodySink(house.inbox, house.memory, house.storageLog.failed)
  sink.hold(envelope)
  return accept(exchange, { key, scan, sink, answer })
}

export function wrapItems(headers: Record<string, unknown>, items: WrappedItem[]): Buffer {
  const parts = [Buffer.from(`${JSON.stringify(headers)}\n`)]
  for (const item of items) {
    const payload = Buffer.from(item.payload)
    parts.push(
      Buffer.from(`${JSON.stringify({ ...item.headers, length: payload.length })}\n`),
      payload,
      Buffer.from('\n'),
    )
  }
  return Buffer.concat(parts)
}
