import { notFound } from 'next/navigation'
import { findEvent } from '#domain/events/find-event.ts'
import { requireViewer } from '#web/viewer.ts'
import { findAddressedIssue } from '../../../load-issue.ts'

type Context = { params: Promise<{ org: string; issueId: string; eventId: string }> }

/** Downloads the stored event. Its content is untrusted, so the browser must not render it. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, issueId, eventId } = await params
  const viewer = await requireViewer(org)
  const issue =
    (await findAddressedIssue(viewer, issueId, { rest: `/events/${encodeURIComponent(eventId)}/json` })) ?? notFound()
  const event = (await findEvent(viewer, issue, eventId)) ?? notFound()
  return new Response(event.data, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="event-${event.event_id}.json"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
