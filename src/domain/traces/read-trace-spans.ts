import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { spanSide } from '#react/side.ts'
import { traceParams, traceScope } from './trace-scope.ts'
import { findOwnHost, nameRequest } from './tree/summarize-trace.ts'
import type { TraceSpan } from './tree/trace-span.ts'

const maxSpans = 10_000 // what a browser can draw

const columns = z.object({
  id: z.array(z.string()),
  parent: z.array(z.string()),
  segment: z.array(z.string()),
  is_segment: z.array(z.boolean()),
  start: z.array(z.coerce.number()),
  duration_us: z.array(z.coerce.number()),
  short_name: z.array(z.string()),
  op: z.array(z.string()),
  platform: z.array(z.string()),
  sdk_name: z.array(z.string()),
  project_id: z.array(z.coerce.number()),
  server_name: z.array(z.string()),
  short_segment_name: z.array(z.string()),
  known_url: z.array(z.string()),
  method: z.array(z.string()),
  has_failed: z.array(z.coerce.number()),
  is_prefetch: z.array(z.boolean()),
  is_sdk_transport: z.array(z.boolean()),
})

/**
 * Reads columns instead of ten thousand rows, which is a third of the bytes, and with few SQL functions, because in the WASM fallback
 * each one costs more to plan than to run. Segments come first, so that a truncated trace keeps its structure.
 */
export async function readTraceSpans(
  viewer: Viewer,
  traceId: string,
  near?: number,
): Promise<{ spans: TraceSpan[]; isCut: boolean; receivedCount: number }> {
  const found = await viewer.telemetry.columns({
    query: `
      SELECT hex(span_id) AS id, hex(parent_span_id) AS parent, hex(segment_id) AS segment, is_segment,
        toUnixTimestamp64Micro(timestamp) AS start, duration_us, substringUTF8(name, 1, 200) AS short_name, op, platform, sdk_name,
        project_id, server_name, substringUTF8(segment_name, 1, 200) AS short_segment_name,
        if(is_segment OR op = 'http.client' OR startsWith(op, 'resource.'), substringUTF8(url, 1, 500), '') AS known_url, method, status = 'error' AS has_failed, is_prefetch, is_sdk_transport
      FROM spans WHERE ${traceScope}
      ORDER BY is_segment DESC, timestamp, span_id
      LIMIT {limit:UInt32}`,
    params: { ...traceParams(traceId, near), limit: maxSpans + 1 },
    schema: columns,
  })
  const spans = toSpans(found)
  const isCut = found.id.length > maxSpans
  return { spans, isCut, receivedCount: isCut ? await countSpans(viewer, traceId, near) : spans.length }
}

async function countSpans(viewer: Viewer, traceId: string, near?: number): Promise<number> {
  const [found] = await viewer.telemetry.query({
    query: `SELECT count() AS spans FROM spans WHERE ${traceScope}`,
    params: traceParams(traceId, near),
    schema: z.object({ spans: z.coerce.number() }),
  })
  return found?.spans ?? 0
}

function toSpans(found: z.output<typeof columns>): TraceSpan[] {
  const requestName = namesOfRequests(found)
  return found.id.slice(0, maxSpans).map((id, index): TraceSpan => {
    const [op = '', projectId = 0] = [found.op[index], found.project_id[index]]
    const side = spanSide({ platform: found.platform[index] ?? '', op, sdkName: found.sdk_name[index] ?? '' })
    return {
      id: fromHex(id),
      parentId: fromHex(found.parent[index]),
      segmentId: fromHex(found.segment[index]),
      isSegment: found.is_segment[index] === true,
      segmentName: found.short_segment_name[index] ?? '',
      startUs: found.start[index] ?? 0,
      durationUs: found.duration_us[index] ?? 0,
      name: requestName(index) ?? found.short_name[index] ?? '',
      op,
      side,
      projectId,
      clock: `${projectId}/${side === 'browser' ? 'browser' : 'server'}/${found.server_name[index]}`,
      path: found.is_segment[index] ? pathOf(found.known_url[index] ?? '') : '',
      isFailed: found.has_failed[index] === 1,
      isPrefetch: found.is_prefetch[index] === true,
      isSdkTransport: found.is_sdk_transport[index] === true,
      isUnclocked: false,
    }
  })
}

/** Better names of outgoing requests and files by row; null to keep the span's name. */
function namesOfRequests({ known_url, short_name, method, op, is_segment }: z.output<typeof columns>) {
  const isRequest = (index: number): boolean => op[index] === 'http.client' && is_segment[index] !== true
  const ownHost = findOwnHost(
    known_url.filter((_, index) => is_segment[index]),
    known_url.filter((_, index) => isRequest(index)),
  )
  return (index: number): string | null =>
    isRequest(index) || op[index]?.startsWith('resource.')
      ? nameRequest(
          { name: short_name[index] ?? '', method: method[index] ?? '', url: known_url[index] ?? '' },
          ownHost,
        )
      : null
}

/** ClickHouse omits leading zeros and writes upper case. */
const fromHex = (hex = ''): string => (/^0*$/.test(hex) ? '' : hex.toLowerCase().padStart(16, '0'))

export const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')

/**
 * Cached times of traces. A URL names a trace but no time, and without a time all days are searched. Only a hint: if nothing is found
 * near it, all days are searched. On globalThis, because Next bundles several copies of this module.
 */
const key = Symbol.for('hydrant.trace-moments')
const holder = globalThis as { [key]?: Map<string, number> }
const most = 20_000 // three megabytes

/** `at` in milliseconds. */
export function cacheTraceTime(viewer: Viewer, traceId: string, at: number): void {
  holder[key] ??= new Map()
  const moments = holder[key]
  const [oldest] = moments.keys()
  if (moments.size >= most && oldest !== undefined) moments.delete(oldest)
  moments.set(momentKey(viewer, traceId), at)
}

export const findTraceTime = (viewer: Viewer, traceId: string): number | undefined =>
  holder[key]?.get(momentKey(viewer, traceId))

/** By scope: the part of a trace that a viewer may see can be at another time than the rest. */
const momentKey = ({ scopeKey }: Viewer, traceId: string): string => `${scopeKey} ${traceId}`
