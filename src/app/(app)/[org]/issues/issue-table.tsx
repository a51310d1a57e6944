import type { Viewer } from '#domain/access/viewer.ts'
import { type IssueListRow, listIssues } from '#domain/issues/list-issues.ts'
import { listAssignees } from '#domain/issues/list-search-values.ts'
import { listProjects } from '#domain/projects/list-projects.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import type { IssueRowData } from '#ui/issue-list/issue-row.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { ranges } from '../list-params.ts'
import { allowedChanges } from './bulk-input.ts'
import { IssueBoard } from './issue-board.tsx'
import { type IssueParams, issuesHref, readFilter } from './search-params.ts'

const maxTitle = 300 // more than any screen is wide
const maxAssignees = 50

export async function IssueTable({ viewer, params }: { viewer: Viewer; params: IssueParams }) {
  const read = readFilter(viewer, params)
  // The search box says what is wrong; a list of something else would only confuse.
  if (!read.ok) return <NoIssues viewer={viewer} params={params} reason="fault" />
  // Before the list, so that what arrives in between is announced and not lost.
  const arrived = await listProjects(viewer)
  const page = await attempt('issues', listIssues(viewer, read.filter))
  if (!page.ok) return <FailedPanel what="Issues" reference={page.reference} />
  const { issues, next, total, isCounted } = page.value
  const { slug } = viewer.organization
  const isFresh = arrived.every(project => project.eventCount === 0 || project.isInternal)
  const reason = params.after ? 'end' : isFresh ? 'fresh' : 'filter'
  const chosen = read.filter.projectIds
  const verbs = allowedChanges(viewer.role)
  return (
    <>
      {isCounted ? null : (
        <Notice kind="error">
          The database did not answer: counts and bars are missing. Events are still being received and kept.
        </Notice>
      )}
      <IssueBoard
        organizationSlug={slug}
        rows={issues.map(issue => toRow(slug, issue))}
        total={total}
        now={viewer.now}
        list={issuesHref(slug, params)}
        range={params.range === '1h' || params.range === '24h' ? '24 hours' : '30 days'}
        sort={params.sort}
        next={next ? issuesHref(slug, params, { after: next }) : null}
        first={params.after ? issuesHref(slug, params) : null}
        counts={arrived
          .filter(({ id }) => chosen === undefined || chosen.includes(id))
          .map(({ id, eventCount }) => ({ projectId: id, eventCount }))}
        verbs={verbs}
        assignees={verbs.length > 0 ? (await listAssignees(viewer)).slice(0, maxAssignees) : []}
        me={`user:${viewer.user.id}`}
      >
        {issues.length === 0 ? <NoIssues viewer={viewer} params={params} reason={reason} /> : null}
      </IssueBoard>
    </>
  )
}

/** Only what a row draws, and no longer than it can be. */
function toRow(slug: string, issue: IssueListRow): IssueRowData {
  return {
    id: issue.id,
    href: `/${slug}/issues/${issue.id}`,
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

/** An empty list says why it is empty and what the next step is. */
function NoIssues({ viewer, params, reason }: Props) {
  const { slug } = viewer.organization
  const go = (label: string, change: Partial<IssueParams>, look = 'btn') => (
    <Link className={look} href={issuesHref(slug, params, change)}>
      {label}
    </Link>
  )
  if (reason === 'end')
    return (
      <Blank title="No more issues" actions={go('First page', {})}>
        The list ends before this page.
      </Blank>
    )
  if (reason === 'fault')
    return (
      <Blank title="This search cannot be asked" actions={go('Unresolved issues', { q: 'is:unresolved' })}>
        What is wrong stands under the search. What you typed is still there.
      </Blank>
    )
  if (reason === 'fresh') return <Fresh viewer={viewer} />
  const isLongest = params.range === '90d'
  return (
    <Blank
      title={`Nothing matches in the ${ranges[params.range].label.toLowerCase()}`}
      actions={
        <>
          {isLongest
            ? null
            : go(
                params.range === '30d' ? 'Look at 90 days' : 'Look at 30 days',
                { range: params.range === '30d' ? '90d' : '30d' },
                'btn primary',
              )}
          {params.q === '' ? null : go('Without the search', { q: '' })}
          {params.environment ? go('All environments', { environment: undefined }) : null}
        </>
      }
    >
      {params.q === 'is:unresolved'
        ? 'No unresolved issue was seen in this time.'
        : `No issue matches ${params.q.slice(0, 200)}.`}
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
      Errors become issues here as soon as an app sends them.
    </Blank>
  )
}
