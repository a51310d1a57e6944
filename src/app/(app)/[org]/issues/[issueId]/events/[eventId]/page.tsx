import type { Metadata } from 'next'
import { requireViewer } from '#web/viewer.ts'
import { NotFoundHere } from '../../../../../../entry-card.tsx'
import { IssueScreen } from '../../issue-screen.tsx'
import { findAddressedIssue, loadIssue, readChoice } from '../../load-issue.ts'
import { readIssueAddress } from '../../search-params.ts'

export const metadata: Metadata = { title: 'Event' }

type Props = {
  params: Promise<{ org: string; issueId: string; eventId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** The issue page with a chosen event. */
export default async function EventPage({ params, searchParams }: Props) {
  const { org, issueId, eventId } = await params
  const viewer = await requireViewer(org)
  const query = await searchParams
  const issue = await findAddressedIssue(viewer, issueId, { rest: `/events/${encodeURIComponent(eventId)}`, query })
  const choice = readChoice(eventId)
  if (!issue || !choice) return <NotFoundHere />
  const address = readIssueAddress(query)
  const loaded = await loadIssue(viewer, issue, choice, address)
  if (choice.kind === 'id' && loaded.event.ok && !loaded.event.value) return <NotFoundHere />
  return <IssueScreen loaded={loaded} address={address} choice={eventId} />
}
