import { notFound } from 'next/navigation'
import { findSpan, type SpanDetails } from '#queries/trace/find-span.ts'
import { formatMoment } from '#ui/format-moment.ts'
import { shorten } from '#ui/shorten.ts'
import type { SpanDetailsView } from '#ui/trace/span-details.ts'
import { requireViewer } from '#web/viewer.ts'

type Context = { params: Promise<{ org: string; traceId: string; spanId: string }> }

/** Everything one span carries, for the drawer. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, traceId, spanId } = await params
  const viewer = await requireViewer(org)
  const span = await findSpan(viewer, traceId, spanId)
  return span ? Response.json(toView(span), { headers: { 'Cache-Control': 'private, no-store' } }) : notFound()
}

const maxChars = 2_000

function toView(span: SpanDetails): SpanDetailsView {
  const attributes = [
    ...Object.entries(span.attributes),
    ...Object.entries(span.numbers).map(([name, value]) => [name, String(value)] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1))
  const facts = {
    started: formatMoment(span.at, { withMs: true }),
    status: span.status,
    route: span.route,
    url: span.url,
    release: span.release,
    environment: span.environment,
    host: span.server_name,
    user: span.user_id,
    sdk: span.sdk.trim(),
    origin: span.origin,
    parent: span.parent,
  }
  return {
    ended: span.ended,
    facts: Object.entries(facts).map(([label, value]) => ({ label, value: shorten(value, maxChars) })),
    attributes: attributes.map(([label, value]) => ({ label: shorten(label, 200), value: shorten(value, maxChars) })),
    logs: span.logs.map(({ at, level, body }) => ({
      at: new Date(at).toISOString().slice(11, 23),
      level: shorten(level, 20),
      body: shorten(body, maxChars),
    })),
  }
}
