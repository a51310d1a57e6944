import { notFound, redirect } from 'next/navigation'
import { findIssueOfEvent } from '#domain/events/find-event.ts'
import { requireViewer } from '#web/viewer.ts'

type Context = { params: Promise<{ org: string; eventId: string }> }

/** The page of a message, by the id that its event has. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, eventId } = await params
  const viewer = await requireViewer(org)
  const found = (await findIssueOfEvent(viewer, eventId)) ?? notFound()
  redirect(`/${org}/feedback/${found.issueId}`)
}
