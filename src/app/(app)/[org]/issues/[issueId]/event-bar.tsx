import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Suspense } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { replayIdOf } from '#domain/replays/find-event-replay.ts'
import { findSpanPosition } from '#domain/traces/find-span-position.ts'
import type { Traced } from '#domain/traces/trace-errors.ts'
import { keys } from '#ui/commands/keys.ts'
import { readEventView } from '#ui/event/read-event-view.ts'
import { Link } from '#ui/link.tsx'
import { Ago } from '#ui/time/ago.tsx'
import { EventKeys, IssueKeys } from './issue-keys.tsx'
import type { LoadedIssue, ShownEvent } from './load-issue.ts'
import { type IssueAddress, issueHref } from './search-params.ts'

const eventChoices = [
  { choice: 'latest', label: 'Latest' },
  { choice: 'recommended', label: 'Recommended' },
  { choice: 'oldest', label: 'Oldest' },
] as const
/** The sections that the page has: not every event has breadcrumbs, and each has tags. */
function listSections(found: ShownEvent | null): { id: string; label: string }[] {
  const view = found ? readEventView(found.stacks.data) : null
  return [
    ...(found ? [{ id: 'stack', label: view && view.exceptions.length > 0 ? 'Stack' : 'Message' }] : []),
    ...(found && replayIdOf(found.event) !== null ? [{ id: 'replay', label: 'Replay' }] : []),
    ...(view && view.crumbs.length > 0 ? [{ id: 'breadcrumbs', label: 'Breadcrumbs' }] : []),
    ...(found ? [{ id: 'tags', label: 'Tags' }] : []),
    ...(found ? [{ id: 'context', label: 'Context' }] : []),
    { id: 'activity', label: 'Activity' },
  ]
}

type Props = { loaded: LoadedIssue; address: IssueAddress; choice: string }

/** Shows which event is open and links to the others that match the filter. */
export async function EventBar({ loaded, address, choice }: Props) {
  const { viewer, issue } = loaded
  const event = await loaded.event
  const to = (which: string) => issueHref(viewer.organization.slug, issue.id, address.scope, `/events/${which}`)
  const found = event.ok ? event.value : null
  const sections = listSections(found)
  return (
    <div className="evbar">
      <IssueKeys issueId={issue.id} />
      <nav className="views" aria-label="Sections">
        {sections.map(({ id, label }) => (
          <a key={id} href={`#${id}`}>
            {label}
          </a>
        ))}
        {found ? (
          <Suspense>
            <TraceLink viewer={viewer} event={found.event} />
          </Suspense>
        ) : null}
      </nav>
      <span className="sp" />
      {found ? (
        <span className="t3 evid">
          <span className="mono">{found.event.event_id.slice(0, 8)}</span>,{' '}
          <Ago at={found.event.timestamp} now={viewer.now} />
        </span>
      ) : null}
      <nav className="seg" aria-label="Event">
        {eventChoices.map(each => (
          <Link
            key={each.choice}
            href={to(each.choice)}
            scroll={false}
            aria-current={each.choice === choice ? 'page' : undefined}
          >
            {each.label}
          </Link>
        ))}
      </nav>
      <Link className="link" href={issueHref(viewer.organization.slug, issue.id, address.scope, '/events')}>
        All events
      </Link>
      <span className="stepper">
        <Suspense fallback={<Steps older={null} newer={null} />}>
          {found ? <EventSteps picked={found.picked} to={to} /> : <Steps older={null} newer={null} />}
        </Suspense>
      </span>
    </div>
  )
}

type EventStepsProps = { picked: ShownEvent['picked']; to(which: string): string }

/** Links to the neighbors, which may be known after the event: their place is always there. */
async function EventSteps({ picked, to }: EventStepsProps) {
  const found = await picked
  const older = found.ok && found.value.older ? to(found.value.older) : null
  const newer = found.ok && found.value.newer ? to(found.value.newer) : null
  return (
    <>
      <EventKeys older={older} newer={newer} />
      <Steps older={older} newer={newer} />
    </>
  )
}

const Steps = ({ older, newer }: { older: string | null; newer: string | null }) => (
  <>
    <Step href={older} label="Older event" shortcut={keys.older.shortcut} Icon={ChevronLeft} />
    <Step href={newer} label="Newer event" shortcut={keys.newer.shortcut} Icon={ChevronRight} />
  </>
)

/** The last one, because it is known last: no other link moves. Nothing without spans around the event. */
async function TraceLink({ viewer, event }: { viewer: Viewer; event: Traced }) {
  const trace = await findSpanPosition(viewer, event).catch(() => null)
  return trace && trace.rows.length > 0 ? <a href="#trace">Trace</a> : null
}

type StepProps = { href: string | null; label: string; shortcut: string; Icon: typeof ChevronLeft }

function Step({ href, label, shortcut, Icon }: StepProps) {
  const icon = <Icon className="i" aria-hidden="true" />
  if (!href)
    return (
      <span className="icon-btn off" title={`No ${label.toLowerCase()}`}>
        {icon}
      </span>
    )
  return (
    <Link
      className="icon-btn"
      href={href}
      scroll={false}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={`${label} (${shortcut})`}
    >
      {icon}
    </Link>
  )
}
