import { Download } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { explainEvent, explainReact, explainReactError } from '#domain/events/explain-event.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import { isPicture, listCachedAttachments } from '#domain/events/list-attachments.ts'
import { haveSent } from '#domain/events/sent-kinds.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { replayIdOf } from '#domain/replays/find-event-replay.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { colorSource } from '#ui/event/color-source.ts'
import { CrumbList } from '#ui/event/crumb-list.tsx'
import { FieldGroup, NoteList, ReactError, WhyGrouped } from '#ui/event/event-details.tsx'
import type { EventView, GroupView } from '#ui/event/event-view.ts'
import { readEventView, readGroup } from '#ui/event/read-event-view.ts'
import { formatBoth, formatBytes } from '#ui/format.ts'
import { Section } from '#ui/page-parts.tsx'
import { Picture } from '#ui/picture.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { Panel } from '../../../../panel.tsx'
import { EventLines, PatternLines } from '../../logs/event-lines.tsx'
import { ReplaySection } from '../../replays/replay-section.tsx'
import { LateSection } from './late-section.tsx'
import type { LoadedIssue } from './load-issue.ts'
import { NoEvents } from './no-events.tsx'
import { ReactSections, UserSawSection } from './react/react-sections.tsx'
import type { IssueAddress } from './search-params.ts'
import { StackSection } from './stack-section.tsx'
import { TraceSection } from './trace-section.tsx'

/** `tags` are about all events of the issue, and stand where a reader looks for them. */
type Props = { loaded: LoadedIssue; address: IssueAddress; path: string; tags: ReactNode }

/** The sections of one event, most useful first. */
export async function EventSections({ loaded, address, path, tags }: Props) {
  const { viewer, issue } = loaded
  const found = await loaded.event
  if (!found.ok) return <FailedPanel what="This event" reference={found.reference} />
  if (!found.value) return <NoEvents isNarrowed={address.isNarrowed} href={path} />
  const { event, stacks } = found.value
  const view = readEventView(stacks.data, stacks.advice)
  const reactError = firstReactError([...view.exceptions.map(({ message }) => message), view.message])
  const why = explainEvent(event, { data: stacks.data, hashes: issue.hashes })
  const words = reactError ? (
    <Panel what="React error">
      <ReactError explanation={reactError} />
    </Panel>
  ) : null
  // React's message refers to the server error, so the React insights with that error come first.
  const isServerError = explainReact(event.data)?.kind === 'server-error'
  const hasTrace = !noTrace.test(event.trace_id) && (await haveSent(viewer, 'spans'))
  const eventPath = `/${viewer.organization.slug}/issues/${issue.id}/events/${event.event_id}`
  return (
    <>
      {isServerError ? null : words}
      <Panel what="React insights">
        <ReactSections viewer={viewer} issue={issue} event={event} filter={loaded.filter} />
      </Panel>
      {isServerError ? words : null}
      <Panel what="Stack trace">
        <StackSection
          event={event}
          view={{ ...view, exceptions: colorSource(view.exceptions), stacks: colorSource(view.stacks) }}
          address={address}
          path={path}
        />
      </Panel>
      <Panel what="What the user saw">
        <Suspense>
          <UserSawSection viewer={viewer} issue={issue} event={event} filter={loaded.filter} />
        </Suspense>
      </Panel>
      <Panel what="Replay">
        <Suspense fallback={replayIdOf(event) === null ? null : <LateSection title="Replay" />}>
          <ReplaySection viewer={viewer} event={event} isFeedback={issue.kind === feedbackKind} />
        </Suspense>
      </Panel>
      {view.crumbs.length > 0 ? (
        <Panel what="Breadcrumbs">
          <Section id="breadcrumbs" title="Breadcrumbs" note={`${view.crumbs.length}, times relative to the event`}>
            <CrumbList crumbs={view.crumbs} />
          </Section>
        </Panel>
      ) : null}
      <Panel what="Trace">
        <Suspense fallback={hasTrace ? <LateSection title="Trace" /> : null}>
          <TraceSection viewer={viewer} event={event} />
        </Suspense>
      </Panel>
      <Panel what="Log lines">
        <PatternLines viewer={viewer} event={event} />
        <Suspense>
          <EventLines viewer={viewer} event={event} />
        </Suspense>
      </Panel>
      {tags}
      <Panel what="Context">
        <EventContext event={event} view={view} href={`${eventPath}/json`} />
      </Panel>
      <Panel what="Attachments">
        <Suspense>
          <Attachments viewer={viewer} issue={issue} event={event} path={eventPath} />
        </Suspense>
      </Panel>
      {view.notes.length > 0 ? (
        <Section title="Scrubbed and trimmed" note="before the event was stored">
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

/** The first match is the outermost exception, which is the reported one. */
function firstReactError(messages: string[]) {
  for (const message of messages) {
    const explanation = explainReactError(message)
    if (explanation) return explanation
  }
  return null
}

const maxPictures = 10

type AttachmentsProps = { viewer: Viewer; issue: Issue; event: StoredEvent; path: string }

/** Attachments are untrusted: pictures are shown if they are that by their own bytes, everything else is only offered for download. */
async function Attachments({ viewer, issue, event, path }: AttachmentsProps) {
  const found = await attempt('attachments', listCachedAttachments(viewer, issue, event))
  if (!found.ok) return <FailedPanel what="Attachments" reference={found.reference} />
  if (found.value.length === 0) return null
  const shown = new Set(
    found.value
      .filter(isPicture)
      .slice(0, maxPictures)
      .map(({ name }) => name),
  )
  return (
    <Section title="Attachments" note={`${found.value.length}`}>
      <ul className="files">
        {found.value.map(({ name, filename, contentType, sizeBytes }) => (
          <li key={name}>
            <a className="link mono" href={`${path}/attachments/${name}`} download>
              <Download className="i i-s" aria-hidden="true" /> {shorten(filename, 120)}
            </a>
            <span className="t3">
              {shorten(contentType, 60)} {formatBytes(sizeBytes)}
            </span>
            {shown.has(name) ? (
              <div className="shown">
                <Picture src={`${path}/pictures/${name}`} alt={shorten(filename, 120)} />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Request, user, tags and contexts, with a download of the whole event. */
async function EventContext({ event, view, href }: { event: StoredEvent; view: EventView; href: string }) {
  const { zone } = await readTimeZone()
  const tags = Object.fromEntries(Object.entries(event.tags).sort(([a], [b]) => a.localeCompare(b)))
  const first: (GroupView | null)[] = [
    readGroup('Event', basics(event, zone)),
    view.report,
    view.user,
    ...view.request.slice(0, 1),
  ]
  const more: (GroupView | null)[] = [
    ...view.request.slice(1),
    readGroup('Tags', tags),
    view.flags,
    ...view.contexts,
    view.extra,
    view.sdk,
  ]
  return (
    <Section
      id="context"
      title="Context"
      note={formatBytes(event.data.length)}
      actions={
        <a className="btn s" href={href} download>
          <Download className="i" aria-hidden="true" />
          Download JSON
        </a>
      }
    >
      <div className="groups">
        {first.map((group, index) => (group ? <FieldGroup key={index} group={group} isOpen /> : null))}
        {more.map((group, index) => (group ? <FieldGroup key={index} group={group} /> : null))}
      </div>
    </Section>
  )
}

const noTrace = /^0+$/

function basics(event: StoredEvent, zone: string) {
  return {
    id: event.event_id,
    trace: noTrace.test(event.trace_id) ? '' : event.trace_id,
    occurred: formatBoth(event.timestamp, zone, { withMs: true }),
    received: formatBoth(event.received_at, zone, { withMs: true }),
    route: event.route,
    url: event.url,
    release: event.release,
    environment: event.environment,
    browser: `${event.browser_name} ${event.browser_version}`.trim(),
    OS: `${event.os_name} ${event.os_version}`.trim(),
    server: event.server_name,
    platform: event.platform,
  }
}
