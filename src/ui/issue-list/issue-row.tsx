import { Archive, Check, Plus, RotateCw, TrendingUp } from 'lucide-react'
import { memo, type Ref } from 'react'
import { formatWhole } from '#lib/format-whole.ts'
import { formatCount } from '../format.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { shorten, splitTitle } from '../shorten.ts'
import { Ago } from '../time/ago.tsx'
import { Wire } from '../wire.tsx'

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
  side: string
  isUnhandled: boolean
  isSeen: boolean
  events: number
  users: number
  /** Counted from a sample. */
  areEventsEstimated: boolean
  /** Many users, or those of a sample. */
  areUsersEstimated: boolean
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
  /** It was changed, and the server has not answered yet. */
  isLeaving: boolean
  onSelect: (id: number, isRange: boolean) => void
  /** For commands that focus or open the row. */
  link: Ref<HTMLAnchorElement>
}

/** Renders only if something in it changed: a list has a hundred rows, and every key renders the board. */
export const IssueRow = memo(DrawnRow)

/** The title is a link that covers the whole row except the checkbox. */
function DrawnRow({ issue, now, range, isSelected, isLeaving, onSelect, link }: Props) {
  const { type, message } = splitTitle(issue.title)
  const badge = <ChangeBadge status={issue.status} substatus={issue.substatus} times={issue.timesUsual} />
  return (
    <li
      className={`irow${issue.isSeen ? ' seen' : ''}${isSelected ? ' sel' : ''}${isLeaving ? ' leaving' : ''}`}
      aria-busy={isLeaving ? true : undefined}
      data-issue={issue.id}
    >
      <label className="ckc">
        <input
          className="check"
          type="checkbox"
          name="issue"
          value={issue.id}
          checked={isSelected}
          aria-label={`Select ${issue.shortId}`}
          onChange={event => onSelect(issue.id, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      </label>
      <Level level={issue.level} />
      <div className="mainc">
        <Link ref={link} className="ititle" href={issue.href} scroll={false}>
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
          <Wire side={issue.side} />
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
          label={`${issue.bars.reduce((sum, bar) => sum + bar, 0)} events, ${range}`}
        />
      </span>
      <Figure count={issue.events} noun="events" className="num ev" isEstimated={issue.areEventsEstimated} />
      <Figure count={issue.users} noun="users" className="num us" isEstimated={issue.areUsersEstimated} />
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

type FigureProps = { count: number; noun: string; className: string; isEstimated?: boolean }
/** Screen readers hear "4,812 events"; sighted users see a number below its column head. */
function Figure({ count, noun, className, isEstimated = false }: FigureProps) {
  const exactly = formatWhole(count)
  return (
    <span className={className} title={isEstimated ? `≈ ${exactly}, an estimate` : exactly}>
      {count === 0 ? '–' : `${isEstimated ? '≈ ' : ''}${formatCount(count)}`}
      <span className="sr"> {noun}</span>
    </span>
  )
}

const changes = {
  new: { look: 'new', word: 'New', Icon: Plus },
  regressed: { look: 'reg', word: 'Regressed', Icon: RotateCw },
  escalating: { look: 'esc', word: 'Escalating', Icon: TrendingUp },
  resolved: { look: 'ok', word: 'Resolved', Icon: Check },
  archived: { look: '', word: 'Archived', Icon: Archive },
} as const

type ChangeBadgeProps = {
  status: 'unresolved' | 'resolved' | 'archived'
  substatus: 'new' | 'ongoing' | 'regressed' | 'escalating'
  /** How many times the usual rate an escalating issue has. */
  times: number
}

/** The status, or the latest change of an unresolved issue. Ongoing issues have no badge. */
function ChangeBadge({ status, substatus, times }: ChangeBadgeProps) {
  const name = status === 'unresolved' ? substatus : status
  if (name === 'ongoing') return null
  const { look, word, Icon } = changes[name]
  return (
    <span className={`badge ${look}`}>
      <Icon className="i i-s" aria-hidden="true" />
      {word}
      {name === 'escalating' && times > 1 ? ` ×${formatCount(times)}` : null}
    </span>
  )
}

const width = 119
const height = 24

/** A sparkline without axes. One path each for the baseline, the bars and the highlighted last bar. */
export function Spark({ bars, isHot, label }: { bars: number[]; isHot: boolean; label: string }) {
  const step = (width + 1) / bars.length
  const most = Math.max(1, ...bars)
  const rise = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / most) * (height - 1)))
  const bar = (index: number, tall: number) =>
    `M${round(index * step)} ${height}v${-round(tall)}h${round(step - 1)}v${round(tall)}z`
  const cold = isHot ? bars.slice(0, -1) : bars
  return (
    <svg
      className="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <path className="base" d={bars.map((_, index) => bar(index, 1)).join('')} />
      <path d={cold.map((count, index) => (count > 0 ? bar(index, rise(count)) : '')).join('')} />
      {isHot ? <path className="hot" d={bar(bars.length - 1, rise(bars.at(-1) ?? 0))} /> : null}
    </svg>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
