import { Ago } from '../ago.tsx'
import { formatCount } from '../format-count.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'
import { splitTitle } from '../split-title.ts'
import { Wire } from '../wire.tsx'
import { ChangeBadge } from './change-badge.tsx'
import { Spark } from './spark.tsx'

export type IssueRowData = {
  id: number
  href: string
  shortId: string
  title: string
  culprit: string
  level: string
  status: 'unresolved' | 'resolved' | 'archived'
  substatus: 'new' | 'ongoing' | 'regressed' | 'escalating'
  timesUsual: number
  place: string
  isUnhandled: boolean
  isSeen: boolean
  events: number
  users: number
  bars: number[]
  firstSeen: number
  lastSeen: number
  lastRelease: string
  assignee: { name: string; initials: string } | null
}

type Props = {
  issue: IssueRowData
  now: number
  range: string
  isSelected: boolean
  onSelect: (isRange: boolean) => void
}

/** The title is the link and its reach is the whole row; the box beside it stays a box. */
export function IssueRow({ issue, now, range, isSelected, onSelect }: Props) {
  const { type, message } = splitTitle(issue.title)
  const badge = <ChangeBadge status={issue.status} substatus={issue.substatus} times={issue.timesUsual} />
  return (
    <li className={`irow${issue.isSeen ? ' seen' : ''}${isSelected ? ' sel' : ''}`} data-issue={issue.id}>
      <label className="ckc">
        <input
          className="check"
          type="checkbox"
          name="issue"
          value={issue.id}
          checked={isSelected}
          aria-label={`Select ${issue.shortId}`}
          onChange={event => onSelect((event.nativeEvent as MouseEvent).shiftKey)}
        />
      </label>
      <Level level={issue.level} />
      <div className="mainc">
        <Link className="ititle" href={issue.href} scroll={false}>
          <span className="ty cut">{type}</span>
          {message ? (
            <span className="msg cut" title={issue.title}>
              {message}
            </span>
          ) : null}
        </Link>
        <div className="imeta">
          <span className="only-n">{badge}</span>
          <span className="id">{issue.shortId}</span>
          <Wire place={issue.place} />
          <bdi className="at cut">{issue.culprit}</bdi>
          {issue.isUnhandled ? <span className="unh">Unhandled</span> : null}
        </div>
      </div>
      <span className="st">
        <span>{badge}</span>
        <span className="cut" title={issue.lastRelease}>
          {shorten(issue.lastRelease, 40)}
        </span>
      </span>
      <span className="tr">
        <Spark
          bars={issue.bars}
          isHot={issue.status === 'unresolved' && issue.substatus === 'escalating'}
          label={`${issue.bars.reduce((sum, bar) => sum + bar, 0)} events in ${range}`}
        />
      </span>
      <Figure count={issue.events} noun="events" className="num ev" />
      <Figure count={issue.users} noun="users" className="num us" />
      <span className="num when">
        <Ago at={issue.lastSeen} now={now} />
        <span>
          <Ago at={issue.firstSeen} now={now} suffix=" old" />
        </span>
      </span>
      <span className="num as">
        {issue.assignee ? (
          <span className="av" title={issue.assignee.name}>
            <span className="sr">Assigned to {issue.assignee.name}</span>
            <span aria-hidden="true">{issue.assignee.initials}</span>
          </span>
        ) : (
          <span className="sr">Unassigned</span>
        )}
      </span>
    </li>
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
