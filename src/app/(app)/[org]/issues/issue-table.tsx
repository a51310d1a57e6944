import type { Viewer } from '#domain/access/viewer.ts'
import { type IssueListRow, issuesPerPage } from '#domain/issues/list-issues.ts'
import { listAssignees } from '#domain/issues/list-search-values.ts'
import { clipText } from '#lib/text.ts'
import { maxExactUsers } from '#lib/user-sketch.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import type { IssueRowData } from '#ui/issue-list/issue-row.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { inTime, nameTime } from '../list-params.ts'
import { WhyNothing } from '../search/why-nothing.tsx'
import { allowedChanges } from './bulk-input.ts'
import { IssueBoard } from './issue-board.tsx'
import type { IssueList } from './load-list.ts'
import { type IssueParams, issuesHref, listedIssueHref } from './search-params.ts'

const maxTitle = 300 // wider than any screen
const maxAssignees = 50

type TableProps = { viewer: Viewer; params: IssueParams; list: Promise<IssueList> }

export async function IssueTable({ viewer, params, list }: TableProps) {
  const read = await list
  // The search box explains the error. Results of another search would only confuse.
  if (read.kind === 'fault') return <NoIssues viewer={viewer} params={params} reason="fault" />
  if (read.kind === 'failed') return <FailedPanel what="Issues" reference={read.reference} />
  const { page, arrived, filter } = read
  const chosen = filter.projectIds
  const { issues, next, previous, total, position, isCounted, isExact } = page
  const { slug } = viewer.organization
  const isFresh = arrived.every(project => project.eventCount === 0 || project.isInternal)
  const reason = params.after ? 'end' : isFresh ? 'fresh' : 'filter'
  const verbs = allowedChanges(viewer.role)
  const { zone } = await readTimeZone()
  return (
    <>
      {isCounted ? null : <Notice kind="error">Counts and charts couldn’t be loaded.</Notice>}
      {isCounted && !isExact ? (
        <Notice kind="error">
          Exact counts couldn’t be loaded. These begin with the hour or day in which the range begins.
        </Notice>
      ) : null}
      <IssueBoard
        organizationSlug={slug}
        rows={issues.map(issue => toRow(listedIssueHref(slug, issue.id, params), issue))}
        total={total}
        position={position}
        now={viewer.now}
        here={issuesHref(slug, params, { after: params.after })}
        list={issuesHref(slug, params)}
        range={nameTime(params, zone)}
        sort={params.sort}
        next={next ? issuesHref(slug, params, { after: next }) : null}
        // The second page goes back to the first one, which is always full and up to date.
        previous={previous ? issuesHref(slug, params, position <= issuesPerPage + 1 ? {} : { after: previous }) : null}
        first={params.after ? issuesHref(slug, params) : null}
        counts={arrived
          .filter(({ id }) => chosen === undefined || chosen.includes(id))
          .map(({ id, eventCount }) => ({ projectId: id, eventCount }))}
        verbs={verbs}
        assignees={verbs.length > 0 ? (await listAssignees(viewer)).slice(0, maxAssignees) : []}
        me={`user:${viewer.user.id}`}
      >
        {issues.length === 0 ? (
          <>
            <NoIssues viewer={viewer} params={params} reason={reason} />
            {reason === 'filter' ? (
              <WhyNothing
                viewer={viewer}
                language="issues"
                text={params.q}
                filter={filter}
                hrefOf={q => issuesHref(slug, params, { q })}
              />
            ) : null}
          </>
        ) : null}
      </IssueBoard>
    </>
  )
}

/** Only the fields that a row shows, with long texts shortened: they are sent to the browser. */
function toRow(href: string, issue: IssueListRow): IssueRowData {
  return {
    id: issue.id,
    href,
    shortId: issue.shortId,
    title: showHidden(shorten(issue.title, maxTitle)),
    culprit: showHidden(shorten(issue.culprit, maxTitle)),
    level: issue.level,
    status: issue.status,
    substatus: issue.substatus,
    timesUsual: issue.timesUsual,
    side: issue.side,
    isUnhandled: issue.isUnhandled,
    isSeen: issue.isSeen,
    events: issue.events,
    users: issue.users,
    areEventsEstimated: issue.isSampled,
    areUsersEstimated: issue.users > maxExactUsers || issue.isSampled,
    bars: issue.bars,
    firstSeen: issue.firstSeen,
    lastSeen: issue.lastSeen,
    lastRelease: issue.lastRelease,
    assignee: issue.assignee ? { name: issue.assignee.name, initials: initialsOf(issue.assignee.name) } : null,
  }
}

function initialsOf(name: string): string {
  if (name.startsWith('#')) return name.slice(0, 3)
  const words = name.split(/\s+/).filter(Boolean)
  return [words.at(0), words.length > 1 ? words.at(-1) : undefined]
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

type Props = { viewer: Viewer; params: IssueParams; reason: 'fresh' | 'filter' | 'end' | 'fault' }

/** Says why the list is empty and offers the next step. */
async function NoIssues({ viewer, params, reason }: Props) {
  const { slug } = viewer.organization
  const go = (label: string, change: Partial<IssueParams>, look = 'btn') => (
    <Link className={look} href={issuesHref(slug, params, change)}>
      {label}
    </Link>
  )
  if (reason === 'end')
    return (
      <Blank title="No more issues" actions={go('First page', {})}>
        This page is past the end of the list.
      </Blank>
    )
  if (reason === 'fault')
    return (
      <Blank title="This search has an error" actions={go('Unresolved issues', { q: 'is:unresolved' })}>
        See the note under the search box.
      </Blank>
    )
  if (reason === 'fresh') return <Fresh viewer={viewer} />
  const { zone } = await readTimeZone()
  const isLongest = params.range === '90d' && !params.span
  return (
    <Blank
      title={`No matching issues ${inTime(params, zone)}`}
      actions={
        <>
          {isLongest
            ? null
            : go(
                params.range === '30d' ? 'Search last 90 days' : 'Search last 30 days',
                { range: params.range === '30d' ? '90d' : '30d', span: undefined },
                'btn primary',
              )}
          {params.q === '' ? null : go('Clear search', { q: '' })}
          {params.environment ? go('All environments', { environment: undefined }) : null}
        </>
      }
    >
      {params.q === 'is:unresolved'
        ? 'There are no unresolved issues in this time range.'
        : `No issue matches ${clipText(params.q, 200)}.`}
    </Blank>
  )
}

function Fresh({ viewer }: { viewer: Viewer }) {
  const base = `/${viewer.organization.slug}`
  const first = viewer.projects.find(({ isInternal }) => !isInternal)
  return (
    <Blank
      title="No issues yet"
      actions={
        <Link className="btn primary" href={first ? `${base}/projects/${first.slug}` : `${base}/projects`}>
          {first ? `Connect ${first.slug}` : 'Create a project'}
        </Link>
      }
    >
      Issues appear here as soon as an app sends errors.
    </Blank>
  )
}
