import { z } from 'zod'
import { spanPlace } from '#lens/span-place.ts'
import type { TraceSpan } from '#lens/trace/trace-span.ts'
import type { Viewer } from '../viewer.ts'
import { spanIdSql } from './trace-id.ts'
import { traceParams, traceScope } from './trace-scope.ts'

export const maxSpans = 10_000 // what a browser can draw, and more than anybody reads

/** Each column of all spans as one text, a line a span. */
const row = z.object({
  spans: z.coerce.number(),
  ids: z.string(),
  parents: z.string(),
  segments: z.string(),
  segment_names: z.string(),
  starts: z.string(),
  durations: z.string(),
  names: z.string(),
  ops: z.string(),
  platforms: z.string(),
  sdks: z.string(),
  projects: z.string(),
  hosts: z.string(),
  urls: z.string(),
  flags: z.string(),
})
const flag = { segment: 1, failed: 2, prefetch: 4, transport: 8 }

const lines = (value: string): string => `arrayStringConcat(groupArray(toString(${value})), '\\n')`
/** What an SDK sent may hold the very sign that ends a line. */
const oneLine = (column: string, chars: number): string =>
  `translate(substringUTF8(${column}, 1, ${chars}), '\\n\\r', '  ')`

/**
 * One row of long texts, not ten thousand rows of names and values: the engine writes and we read a third of the bytes, and there
 * is nothing to check cell by cell. Segments come first, so that a trace which is cut keeps its skeleton.
 */
export async function readTraceSpans(
  viewer: Viewer,
  traceId: string,
): Promise<{ spans: TraceSpan[]; isCut: boolean; receivedCount: number }> {
  const [found] = await viewer.telemetry.query({
    query: `
      SELECT
        count() AS spans,
        ${lines(spanIdSql('span_id'))} AS ids, ${lines(spanIdSql('parent_span_id'))} AS parents, ${lines(spanIdSql('segment_id'))} AS segments,
        ${lines(oneLine('segment_name', 200))} AS segment_names, ${lines('toUnixTimestamp64Micro(timestamp)')} AS starts,
        ${lines('duration_us')} AS durations, ${lines(oneLine('name', 200))} AS names, ${lines(oneLine('op', 100))} AS ops,
        ${lines(oneLine('platform', 50))} AS platforms, ${lines(oneLine('sdk_name', 100))} AS sdks, ${lines('project_id')} AS projects,
        ${lines(oneLine('server_name', 200))} AS hosts, ${lines(`if(is_segment, ${oneLine('url', 500)}, '')`)} AS urls,
        ${lines(`is_segment * ${flag.segment} + (status = 'error') * ${flag.failed} + is_prefetch * ${flag.prefetch} + is_sdk_transport * ${flag.transport}`)} AS flags
      FROM (
        SELECT span_id, parent_span_id, segment_id, segment_name, is_segment, timestamp, duration_us, name, op, platform, sdk_name,
          project_id, server_name, url, status, is_prefetch, is_sdk_transport
        FROM spans WHERE ${traceScope}
        ORDER BY is_segment DESC, timestamp, span_id
        LIMIT {limit:UInt32}
      )`,
    params: { ...traceParams(viewer, traceId), limit: maxSpans + 1 },
    schema: row,
  })
  if (!found || found.spans === 0) return { spans: [], isCut: false, receivedCount: 0 }
  const spans = toSpans(found)
  const isCut = found.spans > maxSpans
  return { spans, isCut, receivedCount: isCut ? await countSpans(viewer, traceId) : spans.length }
}

async function countSpans(viewer: Viewer, traceId: string): Promise<number> {
  const [found] = await viewer.telemetry.query({
    query: `SELECT count() AS spans FROM spans WHERE ${traceScope}`,
    params: traceParams(viewer, traceId),
    schema: z.object({ spans: z.coerce.number() }),
  })
  return found?.spans ?? 0
}

function toSpans({ spans: _count, ...texts }: z.output<typeof row>): TraceSpan[] {
  const columns = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.split('\n')])) as {
    [Name in keyof typeof texts]: string[]
  }
  return columns.ids.slice(0, maxSpans).map((id, index) => toSpan(columns, id, index))
}

function toSpan(
  columns: Record<Exclude<keyof z.output<typeof row>, 'spans'>, string[]>,
  id: string,
  index: number,
): TraceSpan {
  const text = (list: string[]): string => list[index] ?? ''
  const flags = Number(text(columns.flags))
  const op = text(columns.ops)
  const place = spanPlace({ platform: text(columns.platforms), op, sdkName: text(columns.sdks) })
  const projectId = Number(text(columns.projects))
  return {
    id,
    parentId: text(columns.parents),
    segmentId: text(columns.segments),
    isSegment: (flags & flag.segment) !== 0,
    segmentName: text(columns.segment_names),
    startUs: Number(text(columns.starts)),
    durationUs: Number(text(columns.durations)),
    name: text(columns.names),
    op,
    place,
    projectId,
    clock: `${projectId}/${place === 'browser' ? 'browser' : 'server'}/${text(columns.hosts)}`,
    path: pathOf(text(columns.urls)),
    isFailed: (flags & flag.failed) !== 0,
    isPrefetch: (flags & flag.prefetch) !== 0,
    isSdkTransport: (flags & flag.transport) !== 0,
    isUnclocked: false,
  }
}

const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
