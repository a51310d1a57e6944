import { Ago } from './ago.tsx'
import { formatCount } from './format-count.ts'
import { Level } from './level.tsx'
import { Link } from './link.tsx'
import { shorten } from './shorten.ts'
import { splitTitle } from './split-title.ts'

export type IssueRowData = {
  id: number
  href: string
  shortId: string
  title: string
  culprit: string
  level: string
  projectSlug: string
  eventCount: number
  userCount: number
  firstSeen: number
  lastSeen: number
}

const maxShown = 300 // more than any screen is wide

export function IssueRow({ issue, now }: { issue: IssueRowData; now: number }) {
  const { type, message } = splitTitle(shorten(issue.title, maxShown))
  return (
    <Link className="irow" href={issue.href}>
      <Level level={issue.level} />
      <span className="mainc">
        <span className="ititle">
          <span className="ty cut">{type}</span>
          {message ? (
            <span className="msg cut" title={shorten(issue.title, 1_000)}>
              {message}
            </span>
          ) : null}
        </span>
        <span className="imeta">
          <span className="id">{issue.shortId}</span>
          <span className="at cut">{shorten(issue.culprit, maxShown)}</span>
        </span>
      </span>
      <span className="pj cut">{issue.projectSlug}</span>
      <Figure count={issue.eventCount} noun="events" className="num ev" />
      <Figure count={issue.userCount} noun="users" className="num us" />
      <span className="num when">
        <Ago at={issue.lastSeen} now={now} />
        <span>
          <Ago at={issue.firstSeen} now={now} suffix=" old" />
        </span>
      </span>
    </Link>
  )
}

/** Heard as "4,812 events", seen as a number under its head. */
function Figure({ count, noun, className }: { count: number; noun: string; className: string }) {
  return (
    <span className={className} title={count.toLocaleString('en-US')}>
      {count === 0 ? '–' : formatCount(count)}
      <span className="sr"> {noun}</span>
    </span>
  )
}
