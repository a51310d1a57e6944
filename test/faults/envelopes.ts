/** Envelopes whose every part can be found again: ids and marks are made from a number, bytes from the id. */
import { createHash } from 'node:crypto'

export type Sent =
  | { kind: 'event'; id: string; attachmentBytes: number }
  | { kind: 'spans'; id: string; count: number }
  | { kind: 'logs'; id: string; count: number }

const kinds = ['TypeError', 'RangeError', 'SyntaxError', 'TimeoutError', 'AbortError', 'HydrationError']

export const idOf = (seed: number, number: number): string =>
  createHash('sha256').update(`${seed}/${number}`).digest('hex').slice(0, 32)

/** The attachment of an event: as many bytes as asked for, all derived from its id, so that a mixed-up blob shows. */
export function attachmentOf(id: string, sizeBytes: number): Buffer {
  const line = Buffer.from(`${id}\n`)
  return Buffer.alloc(sizeBytes, line)
}

export function encodeSent(sent: Sent, nowMs: number): Buffer {
  if (sent.kind === 'event') return eventEnvelope(sent.id, sent.attachmentBytes, nowMs)
  const entries = Array.from({ length: sent.count }, (_, index) =>
    (sent.kind === 'spans' ? span : log)(sent.id, index, nowMs),
  )
  const type = sent.kind === 'spans' ? 'span' : 'log'
  return joinEnvelope({ sent_at: new Date(nowMs).toISOString() }, [
    [
      {
        type,
        item_count: sent.count,
        content_type: `application/vnd.sentry.items.${type}${type === 'span' ? '.v2' : ''}+json`,
      },
      Buffer.from(JSON.stringify({ items: entries })),
    ],
  ])
}

function eventEnvelope(id: string, attachmentBytes: number, nowMs: number): Buffer {
  const type = kinds[Number.parseInt(id.slice(0, 4), 16) % kinds.length] ?? 'Error'
  const event = {
    event_id: id,
    timestamp: nowMs / 1000,
    platform: 'node',
    level: 'error',
    user: { id: id.slice(0, 3) },
    exception: {
      values: [
        {
          type,
          value: 'the round was killed',
          stacktrace: { frames: [{ filename: 'app.js', function: `in${type}`, in_app: true, lineno: 1 }] },
        },
      ],
    },
  }
  const items: [object, Buffer][] = [[{ type: 'event' }, Buffer.from(JSON.stringify(event))]]
  if (attachmentBytes > 0)
    items.push([
      { type: 'attachment', filename: 'note.txt', content_type: 'text/plain' },
      attachmentOf(id, attachmentBytes),
    ])
  return joinEnvelope({ event_id: id, sent_at: new Date(nowMs).toISOString() }, items)
}

/** Two days, so that one insert has two partitions and may arrive by half. */
const dayBefore = (index: number): number => (index % 2) * 86_400

const span = (id: string, index: number, nowMs: number): object => ({
  trace_id: id,
  span_id: createHash('sha256').update(`${id}${index}`).digest('hex').slice(0, 16),
  name: 'step',
  status: 'ok',
  is_segment: index === 0,
  start_timestamp: nowMs / 1000 - 0.1 - dayBefore(index),
  end_timestamp: nowMs / 1000 - dayBefore(index),
  attributes: { mark: { type: 'string', value: id }, index: { type: 'integer', value: index } },
})

const log = (id: string, index: number, nowMs: number): object => ({
  timestamp: nowMs / 1000 - dayBefore(index),
  trace_id: id,
  level: 'info',
  body: `line ${index}`,
  attributes: { mark: { type: 'string', value: id }, index: { type: 'integer', value: index } },
})

export function joinEnvelope(headers: object, items: [headers: object, payload: Buffer][]): Buffer {
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(headers)}\n`)]
  for (const [itemHeaders, payload] of items) {
    parts.push(
      Buffer.from(`${JSON.stringify({ ...itemHeaders, length: payload.length })}\n`),
      payload,
      Buffer.from('\n'),
    )
  }
  return Buffer.concat(parts)
}
