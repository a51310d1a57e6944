import { explainEvent } from '#queries/explain-event.ts'
import { explainLens } from '#queries/explain-lens.ts'
import { explainReactError } from '#queries/explain-react-error.ts'
import { Blank } from '#ui/blank.tsx'
import { colourSource } from '#ui/event/colour-source.ts'
import { CrumbList } from '#ui/event/crumb-list.tsx'
import { NoteList } from '#ui/event/note-list.tsx'
import { ReactError } from '#ui/event/react-error.tsx'
import { readEventView } from '#ui/event/read-event-view.ts'
import { WhyGrouped } from '#ui/event/why-grouped.tsx'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { Section } from '#ui/section.tsx'
import { Panel } from '../../../../panel.tsx'
import { Attachments } from './attachments.tsx'
import { EventContext } from './event-context.tsx'
import { LensSections } from './lens/lens-sections.tsx'
import type { LoadedIssue } from './load-issue.ts'
import type { IssueAddress } from './search-params.ts'
import { StackSection } from './stack-section.tsx'
import { TraceSection } from './trace-section.tsx'

type Props = { loaded: LoadedIssue; address: IssueAddress; path: string }

/** The parts of one event, in the order in which they are read. */
export function EventSections({ loaded, address, path }: Props) {
  const { event: found, viewer, issue } = loaded
  if (!found.ok) return <FailedPanel what="This event" reference={found.reference} />
  if (!found.value)
    return (
      <Blank title={address.isNarrowed ? 'No event matches' : 'No event is kept any more'}>
        {address.isNarrowed
          ? 'Widen the span or the search to see events of this issue.'
          : 'The counts stay; the events themselves were older than their retention.'}
      </Blank>
    )
  const { event, stacks } = found.value
  const view = readEventView(stacks.data, stacks.advice)
  const reactError = firstReactError([...view.exceptions.map(({ message }) => message), view.message])
  const why = explainEvent(event, { data: stacks.data, hashes: issue.hashes })
  const words = reactError ? (
    <Panel what="React error">
      <ReactError explanation={reactError} />
    </Panel>
  ) : null
  // React's words send the reader to the server's event, which the lens shows: it comes first then.
  const isEcho = explainLens(event.data)?.kind === 'echo'
  const eventPath = `/${viewer.organization.slug}/issues/${issue.id}/events/${event.event_id}`
  return (
    <>
      {isEcho ? null : words}
      <Panel what="What it means">
        <LensSections viewer={viewer} issue={issue} event={event} />
      </Panel>
      {isEcho ? words : null}
      <Panel what="Stack trace">
        <StackSection
          event={event}
          view={{ ...view, exceptions: colourSource(view.exceptions) }}
          address={address}
          path={path}
        />
      </Panel>
      {view.crumbs.length > 0 ? (
        <Panel what="Breadcrumbs">
          <Section id="breadcrumbs" title="Breadcrumbs" note={`${view.crumbs.length}, by the clock of the event`}>
            <CrumbList crumbs={view.crumbs} />
          </Section>
        </Panel>
      ) : null}
      <Panel what="Trace">
        <TraceSection viewer={viewer} event={event} />
      </Panel>
      <Panel what="Context">
        <EventContext event={event} view={view} href={`${eventPath}/json`} />
      </Panel>
      <Panel what="Attachments">
        <Attachments viewer={viewer} issue={issue} event={event} href={`${eventPath}/attachments`} />
      </Panel>
      {view.notes.length > 0 ? (
        <Section title="Changed on arrival" note="before anything was kept">
          <NoteList notes={view.notes} dropped={view.droppedNotes} />
        </Section>
      ) : null}
      {why ? (
        <Panel what="Grouping">
          <WhyGrouped why={why} />
        </Panel>
      ) : null}
    </>
  )
}

/** The outermost one is the one that was reported. */
function firstReactError(messages: string[]) {
  for (const message of messages) {
    const explanation = explainReactError(message)
    if (explanation) return explanation
  }
  return null
}
