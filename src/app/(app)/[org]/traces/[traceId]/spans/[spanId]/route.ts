import { notFound } from 'next/navigation'
import { findSpan } from '#domain/traces/find-span.ts'
import { requireViewer } from '#web/viewer.ts'
import { viewSpan } from '../../trace-waterfall.tsx'

type Context = { params: Promise<{ org: string; traceId: string; spanId: string }> }

/** All details of a span, for the drawer. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, traceId, spanId } = await params
  const viewer = await requireViewer(org)
  const span = await findSpan(viewer, traceId, spanId)
  if (!span) return notFound()
  return Response.json(await viewSpan(viewer, span, `${traceId}/spans/${spanId}`), {
    headers: { 'Cache-Control': 'private, no-store' },
  })
}
