import type { Metadata } from 'next'
import { type EventSort, type ListedIssueEvent, listIssueEvents } from '#domain/events/list-issue-events.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { formatUsers } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { shorten, showHidden, splitTitle } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { IgnoredNote } from '../../../ignored-note.tsx'
import { NothingHere } from '../../../nothing-here.tsx'
import { issueTitle } from '../issue-title.ts'
import { findAddressedIssue, resolveFilter } from '../load-issue.ts'
import { NoEvents } from '../no-events.tsx'
import { ScopePickers, ScopeSearch } from '../scope-pickers.tsx'
import { issueHref, listHref, readIssueAddress } from '../search-params.ts'
import styles from './events.module.css'
import { type EventsAddress, eventsHref, readEventsAddress } from './search-params.ts'

type Props = {
  params: Promise<{ org: string; issueId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return issueTitle(await params, 'events')
}

/** The events of an issue as a table, for the same scope as its page. */
export default async function EventsPage({ params, searchParams }: Props) {
  const { org, issueId } = await params
  const viewer = await requireViewer(org)
  const query = await searchParams
  const issue = await findAddressedIssue(viewer, issueId, { rest: '/events', query })
  if (!issue) return <NothingHere organizationSlug={org} kind="Issue" name={issueId} typed={issueId} />
  const { slug } = viewer.organization
  const address = readIssueAddress(query)
  const { scope } = address
  const filter = await resolveFilter(viewer, issue, address)
  const order = readEventsAddress(query)
  const [counts, page] = await Promise.all([
    attempt('counts', countIssue(viewer, issue, filter)),
    attempt('events', listIssueEvents(viewer, issue, { filter, ...order })),
  ])
  const stops = [
    { href: listHref(slug, scope), label: 'Issues' },
    { href: issueHref(slug, issue.id, scope), label: issue.shortId },
  ]
  return (
    <>
      <TopBar actions={<ScopePickers viewer={viewer} issue={issue} scope={scope} rest="/events" />}>
        <Trail stops={stops} here="Events" />
      </TopBar>
      <IgnoredNote
        viewer={viewer}
        params={{ ...scope, ignored: [...(scope.ignored ?? []), ...(order.ignored ?? [])] }}
      />
      <ScopeSearch viewer={viewer} issue={issue} scope={scope} rest="/events" />
      <header className={styles.head}>
        <h1 className={styles.title}>{shorten(issue.title, 300)}</h1>
        {counts.ok ? (
          <p className="t2">
            {formatWhole(counts.value.events)} {counts.value.events === 1 ? 'event' : 'events'}
            {counts.value.users > 0
              ? `, ${formatUsers(counts.value.users)} ${counts.value.users === 1 ? 'user' : 'users'}`
              : ''}
            {scope.query ? (
              <>
                {' '}
                matching <code>{shorten(scope.query, 200)}</code>{' '}
                <Link className="link" href={issueHref(slug, issue.id, { ...scope, query: '' }, '/events')}>
                  Clear search
                </Link>
              </>
            ) : null}
          </p>
        ) : null}
      </header>
      {page.ok ? (
        page.value.events.length > 0 ? (
          <>
            <EventTable
              events={page.value.events}
              now={viewer.now}
              order={order}
              href={change => eventsHref(slug, issue.id, scope, change)}
              eventHref={id => issueHref(slug, issue.id, scope, `/events/${id}`)}
            />
            <nav className="pages" aria-label="Pages">
              {order.after ? (
                <Link className="btn s" href={eventsHref(slug, issue.id, scope, { sort: order.sort })}>
                  First page
                </Link>
              ) : null}
              {page.value.next ? (
                <Link
                  className="btn s"
                  rel="next"
                  href={eventsHref(slug, issue.id, scope, { sort: order.sort, after: page.value.next })}
                >
                  Next page
                </Link>
              ) : null}
            </nav>
          </>
        ) : (
          <NoEvents isNarrowed={address.isNarrowed} href={`/${slug}/issues/${issue.id}/events`} />
        )
      ) : (
        <FailedPanel what="Events" reference={page.reference} />
      )}
    </>
  )
}

type TableProps = {
  events: ListedIssueEvent[]
  now: number
  order: EventsAddress
  href: (change: EventsAddress) => string
  eventHref: (eventId: string) => string
}

function EventTable({ events, now, order, href, eventHref }: TableProps) {
  const head = (label: string, sort: EventSort): Column => ({
    label,
    sort: { href: href({ sort }), isOn: order.sort === sort, direction: 'ascending' },
  })
  const isOldest = order.sort === 'oldest'
  const time: Column = {
    label: 'Time',
    sort: {
      href: href({ sort: order.sort === 'newest' ? 'oldest' : 'newest' }),
      isOn: isOldest || order.sort === 'newest',
      direction: isOldest ? 'ascending' : 'descending',
    },
  }
  return (
    <DataTable
      label="Events"
      look="page"
      columns={[
        time,
        head('User', 'user'),
        head('Release', 'release'),
        head('Environment', 'environment'),
        head('Route', 'route'),
        'Message',
      ]}
    >
      {events.map(event => (
        <tr key={event.event_id}>
          <td>
            <Link className="row" href={eventHref(event.event_id)}>
              <Ago at={event.timestamp} now={now} />
            </Link>
          </td>
          <Cell text={event.user} />
          <Cell text={event.release} isMono />
          <Cell text={event.environment} />
          <Cell text={event.route} isMono />
          <td>
            <span className={styles.message}>
              <Level level={event.level} />
              <span className="cut">{showHidden(splitTitle(event.title).message || event.title)}</span>
            </span>
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

function Cell({ text, isMono = false }: { text: string; isMono?: boolean }) {
  return (
    <td className={text === '' ? 't3' : isMono ? 'mono t2' : 't2'}>
      <span className={`cut ${styles.cell}`} title={text}>
        {text === '' ? '–' : <bdi>{showHidden(shorten(text, 120))}</bdi>}
      </span>
    </td>
  )
}
