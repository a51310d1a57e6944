import type { IssueSummary } from '#domain/issues/issue-totals.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { formatCount, formatUsers } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import type { LoadedRelease } from './load-release.ts'
import { seenHref, seenIssueHref } from './release-numbers.tsx'

const kinds = [
  { key: 'new', title: 'New issues', note: 'first seen in this release', none: 'No new issues in this release.' },
  { key: 'regressed', title: 'Regressed', note: 'resolved before, seen again in this release', none: null },
  { key: 'resolved', title: 'Resolved', note: 'marked as fixed in this release', none: null },
] as const

export function ReleaseIssues({ loaded }: { loaded: LoadedRelease }) {
  const { issues, viewer, release } = loaded
  const { slug } = viewer.organization
  // A search finds those that had events in its range, and more than fit here.
  const all = (
    <Link className="link" href={seenHref(slug, release.version, 'firstRelease')}>
      Open in Issues
    </Link>
  )
  return [
    <SeenIssues key="seen" loaded={loaded} />,
    ...kinds.map(({ key, title, note, none }) => {
      const list = issues[key]
      if (list.length === 0 && none === null) return null
      return (
        <Section
          key={key}
          id={key}
          title={title}
          note={
            list.length === 0
              ? undefined
              : `${note} · ${countOf(key === 'new' ? issues.newCount : list.length, list.length)}`
          }
          actions={key === 'new' && list.length > 0 ? all : undefined}
        >
          {list.length === 0 ? (
            <p className="t2">{none}</p>
          ) : (
            <IssueTable issues={list} base={`/${slug}/issues`} now={viewer.now} title={title} />
          )}
        </Section>
      )
    }),
  ]
}

/** These tables list issues with all of their events, as the issue itself counts them. */
const countOf = (all: number, shown: number): string =>
  `${all > shown ? `the ${shown} most frequent of ${formatWhole(all)}` : shown} · events of all releases`

/** The issues that most events of the release belong to, whichever release they began in. */
function SeenIssues({ loaded: { seen, issues, viewer, release } }: { loaded: LoadedRelease }) {
  const { slug } = viewer.organization
  if (!seen.ok) return <FailedPanel what="Issues" reference={seen.reference} />
  if (seen.value.issues.length === 0) return null
  const total = seen.value.total ?? seen.value.issues.length
  const fresh = new Set(issues.new.map(({ id }) => id))
  return (
    <Section
      id="issues"
      title="Issues seen"
      note="events, users and last seen in this release, last 30 days"
      actions={
        <Link className="link" href={seenHref(slug, release.version)}>
          View all {formatCount(total)}
        </Link>
      }
    >
      <DataTable
        isStacked
        label="Issues seen"
        columns={[
          'Issue',
          { label: 'Change', isHidden: true },
          numeric('Events'),
          numeric('Users'),
          numeric('Last seen'),
        ]}
      >
        {seen.value.issues.map(issue => (
          <tr {...stacked.row} key={issue.id}>
            <td {...stacked.cell} className="grows">
              <Link className="row withlevel" href={seenIssueHref(slug, issue.id, release.version)}>
                <Level level={issue.level} />
                <bdi className="cut">{shorten(issue.title, 160)}</bdi>
              </Link>
            </td>
            <td {...stacked.cell}>{fresh.has(issue.id) ? <span className="badge new">New</span> : null}</td>
            <td {...stacked.cell} data-label="Events" className="num">
              {formatCount(issue.events)}
            </td>
            <td {...stacked.cell} data-label="Users" className="num">
              {issue.users === 0 ? '–' : formatUsers(issue.users)}
            </td>
            <td {...stacked.cell} data-label="Last seen" className="num t2">
              <Ago at={seen.value.lastSeen.get(issue.id) ?? issue.lastSeen} now={viewer.now} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Section>
  )
}

function IssueTable({
  issues,
  base,
  now,
  title,
}: {
  issues: IssueSummary[]
  base: string
  now: number
  title: string
}) {
  return (
    <DataTable
      isStacked
      label={title}
      columns={['Issue', { label: 'ID', isHidden: true }, numeric('Events'), numeric('Users'), numeric('Last seen')]}
    >
      {issues.map(issue => (
        <tr {...stacked.row} key={issue.id}>
          <td {...stacked.cell} className="grows">
            <Link className="row withlevel" href={`${base}/${issue.id}`}>
              <Level level={issue.level} />
              <bdi className="cut">{shorten(issue.title, 160)}</bdi>
            </Link>
          </td>
          <td {...stacked.cell} className="mono t3">
            {issue.shortId}
          </td>
          <td {...stacked.cell} data-label="Events" className="num">
            {formatCount(issue.eventCount)}
          </td>
          <td {...stacked.cell} data-label="Users" className="num">
            {issue.userCount === 0 ? '–' : formatUsers(issue.userCount)}
          </td>
          <td {...stacked.cell} data-label="Last seen" className="num t2">
            <Ago at={issue.lastSeen} now={now} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
