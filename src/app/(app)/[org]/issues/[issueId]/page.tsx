import type { Metadata } from 'next'
import { listIssueEvents } from '#queries/list-issue-events.ts'
import { Ago } from '#ui/ago.tsx'
import { Facts } from '#ui/facts.tsx'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { Section } from '#ui/section.tsx'
import { TopBar } from '#ui/top-bar.tsx'
import { Trail } from '#ui/trail.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { NotFoundHere } from '../../../../not-found-here.tsx'
import { EventTable } from './event-table.tsx'
import { findAddressedIssue } from './find-addressed-issue.ts'
import { IssueHeading } from './issue-heading.tsx'

export const metadata: Metadata = { title: 'Issue' }

export default async function IssuePage({ params }: { params: Promise<{ org: string; issueId: string }> }) {
  const { org, issueId } = await params
  const viewer = await requireViewer(org)
  const issue = await findAddressedIssue(viewer, issueId)
  if (!issue) return <NotFoundHere />
  const events = await attempt('events', listIssueEvents(viewer, issue))
  const base = `/${viewer.organization.slug}/issues`
  return (
    <>
      <TopBar>
        <Trail stops={[{ href: base, label: 'Issues' }]} here={issue.shortId} />
      </TopBar>
      <div className="cols">
        <div className="main">
          <IssueHeading issue={issue} />
          <Section title="Events" note="the newest, up to 25">
            {events.ok ? (
              <EventTable events={events.value} href={`${base}/${issue.id}/events`} now={viewer.now} />
            ) : (
              <FailedPanel what="Events" reference={events.reference} />
            )}
          </Section>
        </div>
        <aside className="side" aria-label="Facts">
          <Facts
            facts={[
              { label: 'Status', value: issue.status },
              { label: 'Events', value: issue.eventCount.toLocaleString('en-US') },
              { label: 'Users', value: issue.userCount === 0 ? 'none named' : issue.userCount.toLocaleString('en-US') },
              { label: 'First seen', value: <Ago at={issue.firstSeen} now={viewer.now} /> },
              { label: 'Last seen', value: <Ago at={issue.lastSeen} now={viewer.now} /> },
              { label: 'Level', value: issue.level },
              { label: 'Project', value: issue.projectSlug },
            ]}
          />
        </aside>
      </div>
    </>
  )
}
