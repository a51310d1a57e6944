import { notFound } from 'next/navigation'
import { findReplay } from '#domain/replays/find-replay.ts'
import { findSpanPosition } from '#domain/traces/find-span-position.ts'
import { requireViewer } from '#web/viewer.ts'
import { toMiniRow } from '../../../../../mini-rows.ts'

type Context = { params: Promise<{ org: string; replayId: string; traceId: string; spanId: string }> }

/** The spans of one request of a replay, for the panel under the picture. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, replayId, traceId, spanId } = await params
  const viewer = await requireViewer(org)
  const replay = (await findReplay(viewer, replayId)) ?? notFound()
  if (!replay.traceIds.includes(traceId) || !/^[0-9a-f]{16}$/.test(spanId)) notFound()
  const found = await findSpanPosition(viewer, { trace_id: traceId, span_id: spanId, timestamp: replay.startedAt })
  const path = `/${org}/traces/${traceId}`
  const rows = (found?.rows ?? []).map(row =>
    toMiniRow(row, { path, spanId, failedSpanIds: found?.failedSpanIds ?? [] }),
  )
  return Response.json(rows, { headers: { 'Cache-Control': 'private, max-age=60' } })
}
