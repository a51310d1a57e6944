import { listIssueTickets } from '#domain/issues/list-issue-tickets.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { attempt } from '#web/attempt.ts'
import { mayLink } from './action-props.ts'
import type { LoadedIssue } from './load-issue.ts'
import { TicketList } from './ticket-list.tsx'

/** Tickets of other trackers, in the side column. Nothing for a viewer while there are none. */
export async function IssueTickets({ loaded: { viewer, issue } }: { loaded: LoadedIssue }) {
  const tickets = await attempt('tickets', listIssueTickets(viewer, issue))
  if (!tickets.ok) return <FailedPanel what="Tickets" reference={tickets.reference} />
  if (tickets.value.length === 0 && !mayLink(viewer)) return null
  return (
    <TicketList
      organizationSlug={viewer.organization.slug}
      issueId={issue.id}
      tickets={tickets.value}
      mayLink={mayLink(viewer)}
    />
  )
}
