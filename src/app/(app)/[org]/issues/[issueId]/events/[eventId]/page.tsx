import type { Metadata } from 'next'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../../../nothing-here.tsx'
import { IssueScreen } from '../../issue-screen.tsx'
import { issueTitle } from '../../issue-title.ts'
import { findAddressedIssue, loadIssue, readChoice } from '../../load-issue.ts'
import { readIssueAddress } from '../../search-params.ts'

type Props = {
  params: Promise<{ org: string; issueId: string; eventId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { eventId, ...issue } = await params
  return issueTitle(issue, `event ${eventId.slice(0, 12)}`)
}

/** The issue page with a chosen event. */
export default async function EventPage({ params, searchParams }: Props) {
  const { org, issueId, eventId } = await params
  const viewer = await requireViewer(org)
  const query = await searchParams
  const issue = await findAddressedIssue(viewer, issueId, { rest: `/events/${encodeURIComponent(eventId)}`, query })
  const choice = readChoice(eventId)
  if (!issue) return <NothingHere organizationSlug={org} kind="Issue" name={issueId} typed={issueId} />
  if (!choice) return <NothingHere organizationSlug={org} kind="Event" name={eventId} />
  const address = readIssueAddress(query)
  const loaded = await loadIssue(viewer, issue, choice, address)
  const event = choice.kind === 'id' ? await loaded.event : null
  if (event?.ok && !event.value)
    return <NothingHere organizationSlug={org} kind="Event" name={eventId} typed={`id:${eventId}`} />
  return <IssueScreen loaded={loaded} address={address} choice={eventId} />
}
