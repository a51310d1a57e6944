import { notFound } from 'next/navigation'
import { listAttachments } from '#domain/events/list-attachments.ts'
import { pictureResponse } from '#web/attachment-response.ts'
import { requireViewer } from '#web/viewer.ts'
import { findNamedIssue } from '../../../../issues/[issueId]/load-issue.ts'

type Context = { params: Promise<{ org: string; issueId: string; attachment: string }> }

/** A screenshot that a user has sent, `event-attachment`: shown on the page of the message. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, issueId, attachment } = await params
  const viewer = await requireViewer(org)
  const issue = (await findNamedIssue(viewer, issueId)) ?? notFound()
  const [, eventId, wanted] = /^([0-9a-f]{32})-([0-9a-f]{32})$/.exec(attachment) ?? []
  if (eventId === undefined) notFound()
  const found = (await listAttachments(viewer, issue, eventId)).find(({ name }) => name === wanted) ?? notFound()
  return (await pictureResponse(found)) ?? notFound()
}
