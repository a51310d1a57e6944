import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { queryTelemetry } from '#domain/explore/explore.ts'
import { readSpan, readUuid } from '#domain/explore/read-value.ts'
import { spanSide } from '#react/side.ts'
import { pathOf } from './read-trace-spans.ts'
import { reparentPageLoads } from './tree/correct-clocks.ts'
import type { LinkedSpan } from './tree/trace-span.ts'

const row = z.object({
  project_id: z.coerce.number(),
  span_id: z.string(),
  parent_span_id: z.string(),
  segment_id: z.string(),
  is_segment: z.boolean(),
  segment_name: z.string(),
  name: z.string(),
  op: z.string(),
  status: z.string(),
  platform: z.string(),
  segment_url: z.string(),
  sdk_name: z.string(),
  environment: z.string(),
  release: z.string(),
  start_us: z.coerce.number(),
  duration_us: z.coerce.number(),
  attributes: z.record(z.string(), z.string()),
  numbers: z.record(z.string(), z.number()),
})
/** Span ids are 16 hex digits, '' where there is none; times are microseconds. */
export type TraceSpan = z.output<typeof row>
export type TraceRange = { from: number; to: number }
type TraceQuery = {
  traceId: string
  /** One span alone, by its 16 hex digits. */
  spanId?: string
  /** The attributes to read; they are most of a span's size. */
  attributes: readonly string[] | 'all'
  limit: number
}

const hexId = (column: string) => `if(${column} = 0, '', lower(leftPad(hex(${column}), 16, '0')))`

/** The spans of a trace in the order of their start, without the SDK's own requests. */
export async function listTraceSpans(
  viewer: Viewer,
  { traceId, spanId, attributes, limit }: TraceQuery,
  { from, to }: TraceRange,
): Promise<TraceSpan[]> {
  const uuid = readUuid(traceId)
  const span = spanId === undefined ? '0' : readSpan(spanId)
  if (uuid === null || span === null) return []
  const wanted = (map: string) =>
    attributes === 'all' ? `spans.${map}` : `mapFilter((name, value) -> has({keys:Array(String)}, name), spans.${map})`
  const response = await queryTelemetry(viewer.telemetry, {
    query: `
      SELECT project_id, ${hexId('spans.span_id')} AS span_id, ${hexId('spans.parent_span_id')} AS parent_span_id,
        ${hexId('spans.segment_id')} AS segment_id, is_segment, segment_name, name, op, status, platform,
        if(is_segment, substringUTF8(url, 1, 500), '') AS segment_url, sdk_name, environment, release,
        toUnixTimestamp64Micro(timestamp) AS start_us, duration_us,
        ${wanted('attributes')} AS attributes, ${wanted('numbers')} AS numbers
      FROM spans
      WHERE {scope}
        AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp < fromUnixTimestamp64Milli({to:Int64})
        AND trace_id = toUUID({uuid:String})
        AND NOT is_sdk_transport
        AND ({span:UInt64} = 0 OR spans.span_id = {span:UInt64})
      ORDER BY timestamp, spans.span_id
      LIMIT {limit:UInt32}`,
    params: {
      from,
      to,
      uuid,
      span,
      limit,
      keys: attributes === 'all' ? [] : attributes,
    },
  })
  return response.ok ? response.rows.map(each => row.parse(each)) : []
}

/** Page loads and server requests under the parents that the waterfall shows them under. */
export function repairParents(spans: readonly TraceSpan[]): TraceSpan[] {
  const linked = spans.map(
    ({ span_id, parent_span_id, segment_id, is_segment, name, op, platform, sdk_name, segment_url }): LinkedSpan => ({
      id: span_id,
      parentId: parent_span_id,
      segmentId: segment_id,
      isSegment: is_segment,
      name,
      op,
      side: spanSide({ platform, op, sdkName: sdk_name }),
      path: pathOf(segment_url),
    }),
  )
  const parentOf = reparentPageLoads(new Map(linked.map(span => [span.id, span])))
  return spans.map(span => ({
    ...span,
    parent_span_id: parentOf({ id: span.span_id, parentId: span.parent_span_id }),
  }))
}

export type SpanTree = { span: TraceSpan; children: SpanTree[] }

const maxDepth = 200 // deeper than any program, and safe for JSON parsers

/**
 * Nests spans under their parents. A span without its parent starts a tree, and so does one span of a cycle, which only a broken client
 * sends. Spans below `maxDepth` are attached to their ancestor at that depth.
 */
export function nestSpans(spans: readonly TraceSpan[]): SpanTree[] {
  const trees = new Map<string, SpanTree>()
  for (const span of spans) if (!trees.has(span.span_id)) trees.set(span.span_id, { span, children: [] })
  const parentOf = ({ span }: SpanTree) =>
    span.parent_span_id === span.span_id ? undefined : trees.get(span.parent_span_id)
  const childrenOf = Map.groupBy(trees.values(), tree => parentOf(tree)?.span.span_id ?? '')
  const placed = new Set<SpanTree>()

  function attach(root: SpanTree): SpanTree {
    const pending = [{ tree: root, home: root, depth: 0 }]
    placed.add(root)
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { tree, home, depth } = next
      for (const child of childrenOf.get(tree.span.span_id) ?? []) {
        if (placed.has(child)) continue
        placed.add(child)
        home.children.push(child)
        pending.push({ tree: child, home: depth + 1 < maxDepth ? child : home, depth: depth + 1 })
      }
    }
    return root
  }

  const roots = (childrenOf.get('') ?? []).map(attach)
  for (const tree of trees.values()) if (!placed.has(tree)) roots.push(attach(tree))
  return roots
}
