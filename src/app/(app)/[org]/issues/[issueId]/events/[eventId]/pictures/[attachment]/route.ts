import { notFound } from 'next/navigation'
import { listAttachments } from '#domain/events/list-attachments.ts'
import { pictureResponse } from '#web/attachment-response.ts'
import { requireViewer } from '#web/viewer.ts'
import { findNamedIssue } from '../../../../load-issue.ts'

type Context = { params: Promise<{ org: string; issueId: string; eventId: string; attachment: string }> }

/** A screenshot, shown on the page of its event or message. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, issueId, eventId, attachment } = await params
  const viewer = await requireViewer(org)
  const issue = (await findNamedIssue(viewer, issueId)) ?? notFound()
  if (!/^[0-9a-f]{32}$/.test(eventId)) notFound()
  const found = (await listAttachments(viewer, issue, eventId)).find(({ name }) => name === attachment) ?? notFound()
  return (await pictureResponse(found)) ?? notFound()
}
