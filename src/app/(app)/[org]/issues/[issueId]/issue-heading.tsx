import { Archive, Check, RotateCcw, Sparkles, TrendingUp, Zap } from 'lucide-react'
import type { IssueState } from '#domain/issues/find-issue.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { maxExactUsers } from '#lib/user-sketch.ts'
import { formatAge, formatCount } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { shorten, splitTitle } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { Wire } from '#ui/wire.tsx'
import { readTimeZone } from '#web/time-zone.ts'
import { inTime } from '../../list-params.ts'
import { actionProps, mayWrite } from './action-props.ts'
import { IssueActions } from './issue-actions.tsx'
import type { IssueGist, IssueHead } from './load-issue.ts'
import type { IssueAddress, IssueScope } from './search-params.ts'

const maxTitle = 500

/** Title, status and actions of an issue. */
export function IssueHeading({ head, isPeek = false }: { head: IssueHead; isPeek?: boolean }) {
  const { issue, state, viewer } = head
  const { type, message } = splitTitle(shorten(issue.title, maxTitle))
  const isBad = issue.level === 'error' || issue.level === 'fatal'
  const Title = isPeek ? 'h2' : 'h1'
  return (
    <header className="ihdr">
      <div className="kind">
        <Level level={issue.level} />
        <span className={isBad && message ? 'bad' : ''}>{message ? type : issue.level}</span>
        <IssueBadges state={state} />
      </div>
      <Title className="title">{message || type}</Title>
      <div className="where">
        <Wire side={state.side} hasWord />
        {issue.culprit ? <span className="mono">{shorten(issue.culprit, maxTitle)}</span> : null}
        <span>{issue.projectSlug}</span>
        <span className="mono t3">{issue.shortId}</span>
      </div>
      {mayWrite(viewer) && !isPeek ? <IssueActions {...actionProps(head)} /> : null}
    </header>
  )
}

const changes = {
  new: { look: 'new', word: 'New', Icon: Sparkles },
  regressed: { look: 'reg', word: 'Regressed', Icon: RotateCcw },
  escalating: { look: 'esc', word: 'Escalating', Icon: TrendingUp },
} as const

/** The status: resolved or archived with its conditions, else the latest change. */
function IssueBadges({ state }: { state: IssueState }) {
  const { status, substatus, terms, archivedUntil, reopens, isUnhandled, timesUsual } = state
  const change = status === 'unresolved' && substatus !== 'ongoing' ? changes[substatus] : null
  return (
    <>
      {status === 'resolved' ? (
        <span className="badge ok">
          <Check className="i i-s" aria-hidden="true" />
          Resolved {terms}
        </span>
      ) : null}
      {reopens ? <span className="t3">{reopens}</span> : null}
      {status === 'archived' ? (
        <span className="badge">
          <Archive className="i i-s" aria-hidden="true" />
          Archived {terms} {archivedUntil === null ? null : <Moment at={archivedUntil} />}
        </span>
      ) : null}
      {change ? (
        <span className={`badge ${change.look}`}>
          <change.Icon className="i i-s" aria-hidden="true" />
          {change.word}
          {substatus === 'escalating' && timesUsual > 1 ? ` ×${formatCount(timesUsual)}` : null}
        </span>
      ) : null}
      {isUnhandled ? (
        <span className="badge">
          <Zap className="i i-s" aria-hidden="true" />
          Unhandled
        </span>
      ) : null}
    </>
  )
}

/** A summary in a sentence or two: how often and how many users in the chosen scope, since when, first release. */
export async function IssueLede({ loaded, address }: { loaded: IssueGist; address: IssueAddress }) {
  const { zone } = await readTimeZone()
  const { issue, state, viewer } = loaded
  const counts = await loaded.counts
  const { firstRelease, lastRelease } = state
  return (
    <p className="lede">
      {address.isNarrowed && counts.ok ? (
        <>
          <b>
            {countUsers(counts.value)} {describeScope(address.scope, zone)}
          </b>
          {counts.value.events === issue.eventCount ? '.' : `, of ${count(issue.eventCount, 'event')} in all.`}{' '}
        </>
      ) : (
        <>
          <b>
            {countUsers({ events: issue.eventCount, users: issue.userCount })}{' '}
            {describeAge(viewer.now - issue.firstSeen)}.
          </b>{' '}
        </>
      )}
      <Releases first={firstRelease} last={lastRelease} />
    </p>
  )
}

/** Of the first event and the last one: others may have a release when these have none. */
export function Releases({ first, last }: { first: string; last: string }) {
  const version = (name: string) => <span className="mono">{shorten(name, 80)}</span>
  if (first === last) return first ? <>First seen in {version(first)}.</> : 'Its first and last event have no release.'
  return (
    <>
      First seen {first ? <>in {version(first)}</> : 'without a release'}, last{' '}
      {last ? <>in {version(last)}</> : 'without one'}.
    </>
  )
}

function describeAge(ageMs: number): string {
  const age = formatAge(ageMs)
  return age === 'now' ? 'just now' : `in ${age}`
}

function countUsers({
  events,
  users,
  isSampled = false,
}: {
  events: number
  users: number
  isSampled?: boolean
}): string {
  const many = users > 0 ? ` and ${users > maxExactUsers || isSampled ? '≈ ' : ''}${count(users, 'user')}` : ''
  return (isSampled ? '≈ ' : '') + count(events, 'event') + many
}

/** `in staging in the last 24 h matching browser.name:Chrome`. */
function describeScope({ environment, range, span, query }: IssueScope, zone: string): string {
  return [
    environment ? `in ${shorten(environment, 60)}` : '',
    span ? inTime({ range: '24h', span }, zone) : range ? inTime({ range }, zone) : '',
    query ? `matching ${shorten(query, 120)}` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

const count = (quantity: number, noun: string) => `${formatWhole(quantity)} ${quantity === 1 ? noun : `${noun}s`}`
