import { z } from 'zod'
import { spanPlace } from '#lens/span-place.ts'
import type { TraceSpan } from '#lens/trace/trace-span.ts'
import type { Viewer } from '../viewer.ts'
import { spanIdSql } from './trace-id.ts'
import { traceParams, traceScope } from './trace-scope.ts'

export const maxSpans = 10_000 // what a browser can draw, and more than anybody reads

/**
 * Each column of all spans as one text, a line a span. `heads` is what many spans have in common (operation, project, process,
 * segment), so that it is read once for all of them.
 */
const row = z.object({
  spans: z.coerce.number(),
  ids: z.string(),
  parents: z.string(),
  segments: z.string(),
  starts: z.string(),
  durations: z.string(),
  names: z.string(),
  heads: z.string(),
  flags: z.string(),
})
type Head = Pick<TraceSpan, 'op' | 'place' | 'projectId' | 'clock' | 'segmentName' | 'path'>
const flag = { segment: 1, failed: 2, prefetch: 4, transport: 8 }

const lines = (value: string): string => `arrayStringConcat(groupArray(toString(${value})), '\\n')`
/** What an SDK sent may hold the very sign that ends a line. */
const oneLine = (column: string, chars: number): string =>
  `translate(substringUTF8(${column}, 1, ${chars}), '\\n\\r\\t', '   ')`

/** In the order in which `readHead` takes them apart. */
const heads = [
  oneLine('op', 100),
  oneLine('platform', 50),
  oneLine('sdk_name', 100),
  'toString(project_id)',
  oneLine('server_name', 200),
  oneLine('segment_name', 200),
  `if(is_segment, ${oneLine('url', 500)}, '')`,
]

/**
 * One row of long texts, not ten thousand rows of names and values: the engine writes and we read a third of the bytes, and there
 * is nothing to check cell by cell. Segments come first, so that a trace which is cut keeps its skeleton.
 */
export async function readTraceSpans(
  viewer: Viewer,
  traceId: string,
  near?: number,
): Promise<{ spans: TraceSpan[]; isCut: boolean; receivedCount: number }> {
  const [found] = await viewer.telemetry.query({
    query: `
      SELECT
        count() AS spans,
        ${lines(spanIdSql('span_id'))} AS ids, ${lines(spanIdSql('parent_span_id'))} AS parents, ${lines(spanIdSql('segment_id'))} AS segments,
        ${lines('toUnixTimestamp64Micro(timestamp)')} AS starts, ${lines('duration_us')} AS durations, ${lines(oneLine('name', 200))} AS names,
        ${lines(`concat(${heads.join(", '\\t', ")})`)} AS heads,
        ${lines(`is_segment * ${flag.segment} + (status = 'error') * ${flag.failed} + is_prefetch * ${flag.prefetch} + is_sdk_transport * ${flag.transport}`)} AS flags
      FROM (
        SELECT span_id, parent_span_id, segment_id, segment_name, is_segment, timestamp, duration_us, name, op, platform, sdk_name,
          project_id, server_name, url, status, is_prefetch, is_sdk_transport
        FROM spans WHERE ${traceScope}
        ORDER BY is_segment DESC, timestamp, span_id
        LIMIT {limit:UInt32}
      )`,
    params: { ...traceParams(viewer, traceId, near), limit: maxSpans + 1 },
    schema: row,
  })
  if (!found || found.spans === 0) return { spans: [], isCut: false, receivedCount: 0 }
  const spans = toSpans(found)
  const isCut = found.spans > maxSpans
  return { spans, isCut, receivedCount: isCut ? await countSpans(viewer, traceId, near) : spans.length }
}

async function countSpans(viewer: Viewer, traceId: string, near?: number): Promise<number> {
  const [found] = await viewer.telemetry.query({
    query: `SELECT count() AS spans FROM spans WHERE ${traceScope}`,
    params: traceParams(viewer, traceId, near),
    schema: z.object({ spans: z.coerce.number() }),
  })
  return found?.spans ?? 0
}

function toSpans(found: z.output<typeof row>): TraceSpan[] {
  const column = (text: string): string[] => text.split('\n')
  const [parents, segments, starts] = [column(found.parents), column(found.segments), column(found.starts)]
  const [durations, names, headTexts, flagTexts] = [
    column(found.durations),
    column(found.names),
    column(found.heads),
    column(found.flags),
  ]
  const known = new Map<string, Head>()
  return column(found.ids)
    .slice(0, maxSpans)
    .map((id, index) => {
      const flags = Number(flagTexts[index])
      const { op, place, projectId, clock, segmentName, path } = headOf(headTexts[index] ?? '', known)
      return {
        id,
        parentId: parents[index] ?? '',
        segmentId: segments[index] ?? '',
        isSegment: (flags & flag.segment) !== 0,
        segmentName,
        startUs: Number(starts[index]),
        durationUs: Number(durations[index]),
        name: names[index] ?? '',
        op,
        place,
        projectId,
        clock,
        path,
        isFailed: (flags & flag.failed) !== 0,
        isPrefetch: (flags & flag.prefetch) !== 0,
        isSdkTransport: (flags & flag.transport) !== 0,
        isUnclocked: false,
      }
    })
}

function headOf(text: string, known: Map<string, Head>): Head {
  const head = known.get(text) ?? readHead(text)
  known.set(text, head)
  return head
}

function readHead(text: string): Head {
  const [op = '', platform = '', sdkName = '', project = '', host = '', segmentName = '', url = ''] = text.split('\t')
  const place = spanPlace({ platform, op, sdkName })
  const clock = `${project}/${place === 'browser' ? 'browser' : 'server'}/${host}`
  return { op, place, projectId: Number(project), clock, segmentName, path: pathOf(url) }
}

const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
