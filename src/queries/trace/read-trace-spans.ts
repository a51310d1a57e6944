import { z } from 'zod'
import { spanPlace } from '#lens/span-place.ts'
import type { TraceSpan } from '#lens/trace/trace-span.ts'
import type { Viewer } from '../viewer.ts'
import { spanIdSql } from './trace-id.ts'
import { traceParams, traceScope } from './trace-scope.ts'

export const maxSpans = 10_000 // what a browser can draw, and more than anybody reads

const texts = z.array(z.string())
const numbers = z.array(z.number())
const row = z.object({
  ids: texts,
  parents: texts,
  segments: texts,
  segment_names: texts,
  segment_flags: numbers,
  starts: numbers,
  durations: numbers,
  names: texts,
  ops: texts,
  platforms: texts,
  sdks: texts,
  projects: numbers,
  hosts: texts,
  urls: texts,
  failed: numbers,
  prefetches: numbers,
  transports: numbers,
})

/**
 * One row of arrays, not ten thousand rows of names and values: the engine writes and we read a third of the bytes. Segments come
 * first, so that a trace which is cut keeps its skeleton.
 */
export async function readTraceSpans(
  viewer: Viewer,
  traceId: string,
): Promise<{ spans: TraceSpan[]; isCut: boolean; receivedCount: number }> {
  const [columns] = await viewer.telemetry.query({
    query: `
      SELECT
        groupArray(${spanIdSql('span_id')}) AS ids, groupArray(${spanIdSql('parent_span_id')}) AS parents,
        groupArray(${spanIdSql('segment_id')}) AS segments,
        groupArray(segment_name) AS segment_names, groupArray(toUInt8(is_segment)) AS segment_flags,
        groupArray(toFloat64(toUnixTimestamp64Micro(timestamp))) AS starts, groupArray(toFloat64(duration_us)) AS durations,
        groupArray(substringUTF8(name, 1, 200)) AS names, groupArray(op) AS ops, groupArray(platform) AS platforms,
        groupArray(sdk_name) AS sdks, groupArray(toFloat64(project_id)) AS projects, groupArray(server_name) AS hosts,
        groupArray(if(is_segment, substringUTF8(url, 1, 500), '')) AS urls, groupArray(toUInt8(status = 'error')) AS failed,
        groupArray(toUInt8(is_prefetch)) AS prefetches, groupArray(toUInt8(is_sdk_transport)) AS transports
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
  if (!columns) return { spans: [], isCut: false, receivedCount: 0 }
  const spans = columns.ids.slice(0, maxSpans).map((id, index) => toSpan(columns, id, index))
  const isCut = columns.ids.length > maxSpans
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

function toSpan(columns: z.output<typeof row>, id: string, index: number): TraceSpan {
  const text = (list: string[]): string => list[index] ?? ''
  const number = (list: number[]): number => list[index] ?? 0
  const op = text(columns.ops)
  const place = spanPlace({ platform: text(columns.platforms), op, sdkName: text(columns.sdks) })
  const projectId = number(columns.projects)
  return {
    id,
    parentId: text(columns.parents),
    segmentId: text(columns.segments),
    isSegment: number(columns.segment_flags) === 1,
    segmentName: text(columns.segment_names),
    startUs: number(columns.starts),
    durationUs: number(columns.durations),
    name: text(columns.names),
    op,
    place,
    projectId,
    clock: `${projectId}/${place === 'browser' ? 'browser' : 'server'}/${text(columns.hosts)}`,
    path: pathOf(text(columns.urls)),
    isFailed: number(columns.failed) === 1,
    isPrefetch: number(columns.prefetches) === 1,
    isSdkTransport: number(columns.transports) === 1,
    isUnclocked: false,
  }
}

const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
