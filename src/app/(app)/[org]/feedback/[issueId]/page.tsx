import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { feedbackKind } from '#lib/event-kind.ts'
import { requireViewer } from '#web/viewer.ts'
import { issueTitle } from '../../issues/[issueId]/issue-title.ts'
import { findNamedIssue } from '../../issues/[issueId]/load-issue.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { FeedbackDetail } from '../feedback-detail.tsx'
import { FeedbackScreen } from '../feedback-screen.tsx'
import { feedbackHref, readFeedbackParams } from '../search-params.ts'

type Props = {
  params: Promise<{ org: string; issueId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return issueTitle(await params)
}

/** One message, beside the list where there is room. */
export default async function MessagePage({ params: route, searchParams }: Props) {
  const { org, issueId } = await route
  const viewer = await requireViewer(org)
  const params = readFeedbackParams(await searchParams)
  const issue = await findNamedIssue(viewer, issueId)
  if (!issue) return <NothingHere organizationSlug={org} kind="Feedback" name={issueId} typed={issueId} />
  if (issue.kind !== feedbackKind) redirect(`/${org}/issues/${issue.id}`)
  // A short id, or a message that was merged into another.
  if (String(issue.id) !== issueId) redirect(feedbackHref(org, params, {}, issue.id))
  return (
    <FeedbackScreen viewer={viewer} params={params} openId={issue.id}>
      <FeedbackDetail viewer={viewer} issue={issue} params={params} />
    </FeedbackScreen>
  )
}
