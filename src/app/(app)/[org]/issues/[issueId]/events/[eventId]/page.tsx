import type { Metadata } from 'next'
import { findEvent } from '#queries/find-event.ts'
import { ExceptionChain } from '#ui/event/exception-chain.tsx'
import { NoteList } from '#ui/event/note-list.tsx'
import { readEventView } from '#ui/event/read-event-view.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import { Section } from '#ui/section.tsx'
import { TopBar } from '#ui/top-bar.tsx'
import { Trail } from '#ui/trail.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { NotFoundHere } from '../../../../../../not-found-here.tsx'
import { findAddressedIssue } from '../../find-addressed-issue.ts'
import { IssueHeading } from '../../issue-heading.tsx'
import { EventFacts } from './event-facts.tsx'
import { EventJson } from './event-json.tsx'
import { EventTags } from './event-tags.tsx'

export const metadata: Metadata = { title: 'Event' }

type Props = { params: Promise<{ org: string; issueId: string; eventId: string }> }

export default async function EventPage({ params }: Props) {
  const { org, issueId, eventId } = await params
  const viewer = await requireViewer(org)
  const issue = await findAddressedIssue(viewer, issueId)
  if (!issue) return <NotFoundHere />
  const found = await attempt('event', findEvent(viewer, issue, eventId))
  if (found.ok && !found.value) return <NotFoundHere />
  const base = `/${viewer.organization.slug}/issues`
  const bar = (
    <TopBar>
      <Trail
        stops={[
          { href: base, label: 'Issues' },
          { href: `${base}/${issue.id}`, label: issue.shortId },
        ]}
        here={eventId.slice(0, 8)}
      />
    </TopBar>
  )
  if (!found.ok || !found.value) {
    return (
      <>
        {bar}
        <div className="main">
          <IssueHeading issue={issue} />
          <div className="sec">
            <FailedPanel what="This event" reference={found.ok ? '' : found.reference} />
          </div>
        </div>
      </>
    )
  }
  const event = found.value
  const view = readEventView(event.data)
  return (
    <>
      {bar}
      <div className="cols">
        <div className="main">
          <IssueHeading issue={{ ...issue, title: event.title, culprit: event.culprit, level: event.level }} />
          <Section title="Exception" note={formatMoment(event.timestamp, { withMs: true })}>
            {view.exceptions.length > 0 ? (
              <ExceptionChain exceptions={view.exceptions} />
            ) : (
              <p className="t2">This event carries a message and no exception.</p>
            )}
          </Section>
          <EventTags tags={event.tags} />
          {view.notes.length > 0 ? (
            <Section title="Changed on arrival" note="before anything was kept">
              <NoteList notes={view.notes} dropped={view.droppedNotes} />
            </Section>
          ) : null}
          <EventJson
            json={view.json}
            sizeBytes={event.data.length}
            href={`${base}/${issue.id}/events/${eventId}/json`}
          />
        </div>
        <EventFacts event={event} />
      </div>
    </>
  )
}
