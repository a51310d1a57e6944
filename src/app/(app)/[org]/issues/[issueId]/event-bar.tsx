import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatMoment } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import type { LoadedIssue } from './load-issue.ts'
import type { IssueAddress } from './search-params.ts'

const eventChoices = [
  { choice: 'latest', label: 'Latest' },
  { choice: 'recommended', label: 'Recommended' },
  { choice: 'oldest', label: 'Oldest' },
] as const
const sections = [
  { id: 'stack', label: 'Stack' },
  { id: 'breadcrumbs', label: 'Breadcrumbs' },
  { id: 'trace', label: 'Trace' },
  { id: 'context', label: 'Context' },
  { id: 'tags', label: 'Tags' },
  { id: 'activity', label: 'Activity' },
] as const

type Props = { loaded: LoadedIssue; address: IssueAddress; choice: string }

/** Shows which event is open and links to the others that match the filter. */
export function EventBar({ loaded: { viewer, issue, event }, address, choice }: Props) {
  const to = (which: string) =>
    `/${viewer.organization.slug}/issues/${issue.id}/events/${which}${address.search ? `?${address.search}` : ''}`
  const found = event.ok ? event.value : null
  return (
    <div className="evbar">
      <nav className="views" aria-label="Sections">
        {sections.map(({ id, label }) => (
          <a key={id} href={`#${id}`}>
            {label}
          </a>
        ))}
      </nav>
      <span className="sp" />
      {found ? (
        <span className="t3 evid">
          <span className="mono">{found.event.event_id.slice(0, 8)}</span>,{' '}
          {formatMoment(found.event.timestamp, { withMs: true })}
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
      <span className="stepper">
        <Step href={found?.picked.older ? to(found.picked.older) : null} label="Older event" Icon={ChevronLeft} />
        <Step href={found?.picked.newer ? to(found.picked.newer) : null} label="Newer event" Icon={ChevronRight} />
      </span>
    </div>
  )
}

function Step({ href, label, Icon }: { href: string | null; label: string; Icon: typeof ChevronLeft }) {
  const icon = <Icon className="i" aria-hidden="true" />
  if (!href)
    return (
      <span className="icon-btn off" title={`No ${label.toLowerCase()}`}>
        {icon}
      </span>
    )
  return (
    <Link className="icon-btn" href={href} scroll={false} aria-label={label} title={label}>
      {icon}
    </Link>
  )
}
