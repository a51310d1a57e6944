/** Traces for tests: recorded ones of the shop, and constructed ones. */
import { gunzipSync } from 'node:zlib'
import { listCaptures, readCapture } from '../read-capture.ts'
import { sendRequest } from '../send-request.ts'
import { until } from '../start-hydrant.ts'
import { aimCapture, type Recipient } from './replay-capture.ts'

export const recipientOf = (dsn: string): Recipient => {
  const { origin, username, pathname } = new URL(dsn)
  return { url: origin, projectId: Number(pathname.slice(1)), publicKey: username }
}

/**
 * Replays the recorded requests of a scenario in order, as if they happened two minutes ago. Without sent_at: the replay is faster than
 * the recording, so each envelope would seem to have another clock.
 */
export async function replayScenario(scenario: string, to: Recipient): Promise<void> {
  const names = listCaptures(scenario)
  const recordedAt = Math.min(...names.map(name => readCapture(name).head.receivedAt))
  const laterBySeconds = Math.floor((Date.now() - recordedAt) / 1e3) - 120
  for (const name of names) {
    const { path, headers, body } = aimCapture(name, to)
    const { 'content-encoding': encoding, ...rest } = headers
    const plain = (encoding === 'gzip' ? gunzipSync(body) : body)
      .toString('latin1')
      .replace(/"sent_at":"[^"]*",?/, '')
      .replace(epochSeconds, seconds => String(Number(seconds) + laterBySeconds))
    // A new key is known within a second.
    await until(
      async () => (await sendRequest(new URL(path, to.url), rest, Buffer.from(plain, 'latin1'))).status === 200,
      10_000,
    )
  }
}

/** The integer part of a timestamp as SDKs send it. */
const epochSeconds = /(?<=[:[,])1[78]\d{8}(?=[.,}\]])/g

export type SceneSpan = {
  id: number
  parent?: number
  name: string
  op?: string
  startMs: number
  durationMs: number
  isSegment?: boolean
  isFailed?: boolean
  segment?: number
  /** If it is not that of the others. */
  traceId?: string
  attributes?: Record<string, string | number | boolean>
}

export const hexId = (id: number): string => id.toString(16).padStart(16, '0')

/** Spans as SDK 11 streams them, in containers of a hundred. */
export async function sendSpans(
  to: Recipient,
  {
    traceId,
    beganAt,
    sentAt = beganAt + 60_000,
    isBrowser = false,
    spans,
  }: { traceId: string; beganAt: number; sentAt?: number; isBrowser?: boolean; spans: SceneSpan[] },
): Promise<void> {
  for (let from = 0; from < spans.length; from += 100) {
    const items = spans.slice(from, from + 100).map(span => wireSpan(span, traceId, beganAt))
    const lines = [
      { sent_at: new Date(sentAt).toISOString() },
      { type: 'span', item_count: items.length, content_type: 'application/vnd.sentry.items.span.v2+json' },
      { version: 2, ...(isBrowser ? { ingest_settings: { infer_ip: 'auto', infer_user_agent: 'auto' } } : {}), items },
    ]
    await post(to, lines)
  }
}

/** One log line of a span. */
export function sendLog(to: Recipient, { traceId, spanId, body }: { traceId: string; spanId: string; body: string }) {
  const parent = { value: spanId, type: 'string' }
  const log = { timestamp: Date.now() / 1e3, trace_id: traceId, level: 'info', body, span_id: spanId }
  return post(to, [
    {},
    { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' },
    { items: [{ ...log, attributes: { 'sentry.trace.parent_span_id': parent } }] },
  ])
}

/** A new key is known within a second. */
async function post({ url, projectId, publicKey }: Recipient, lines: object[]): Promise<void> {
  const body = lines.map(line => JSON.stringify(line)).join('\n')
  const send = () => fetch(`${url}/api/${projectId}/envelope/?sentry_key=${publicKey}`, { method: 'POST', body })
  await until(async () => (await send()).status === 200)
}

function wireSpan(span: SceneSpan, traceId: string, beganAt: number) {
  const text = (value: string | number | boolean) => ({
    value,
    type: typeof value === 'number' ? 'double' : typeof value === 'boolean' ? 'boolean' : 'string',
  })
  const attributes = {
    'sentry.op': span.op ?? 'function',
    'sentry.release': 'shop@1.0.0',
    'sentry.environment': 'production',
    'sentry.sdk.name': 'sentry.javascript.nextjs',
    'sentry.sdk.version': '11.11.0',
    ...(span.segment ? { 'sentry.segment.id': hexId(span.segment) } : {}),
    ...span.attributes,
  }
  return {
    trace_id: span.traceId ?? traceId,
    span_id: hexId(span.id),
    ...(span.parent ? { parent_span_id: hexId(span.parent) } : {}),
    name: span.name,
    status: span.isFailed ? 'error' : 'ok',
    is_segment: span.isSegment ?? false,
    start_timestamp: (beganAt + span.startMs) / 1e3,
    end_timestamp: (beganAt + span.startMs + span.durationMs) / 1e3,
    attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, text(value)])),
  }
}

/** A request with many distinct children: a fifth of them nested, one in a thousand failed. */
export function largeTrace(count: number): SceneSpan[] {
  const root: SceneSpan = {
    id: 1,
    name: 'GET /report',
    op: 'http.server',
    startMs: 0,
    durationMs: count,
    isSegment: true,
  }
  const children = Array.from({ length: count - 1 }, (_, index): SceneSpan => {
    const id = index + 2
    const parent = index % 5 === 0 ? 1 : id - (index % 5)
    return {
      id,
      parent,
      segment: 1,
      name: `SELECT ${id} FROM orders`,
      op: ['db', 'function', 'http.client', 'cache.get'][index % 4] ?? 'db',
      startMs: index * 0.9,
      durationMs: 1 + (index % 7),
      isFailed: index % 1_000 === 500,
      attributes: { 'db.system.name': 'postgresql', 'order.number': id },
    }
  })
  return [root, ...children]
}
