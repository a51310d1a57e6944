import type { IssueSummary } from '#domain/issues/issue-totals.ts'
import { Ago } from '#ui/ago.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatCount, formatUsers } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import type { LoadedRelease } from './load-release.ts'

const kinds = [
  { key: 'new', title: 'New issues', note: 'first seen in this release', none: 'No new issues in this release.' },
  { key: 'regressed', title: 'Regressed', note: 'resolved before, seen again in this release', none: null },
  { key: 'resolved', title: 'Resolved', note: 'marked as fixed in this release', none: null },
] as const

export function ReleaseIssues({ loaded: { issues, viewer } }: { loaded: LoadedRelease }) {
  return kinds.map(({ key, title, note, none }) => {
    const list = issues[key]
    if (list.length === 0 && none === null) return null
    return (
      <Section key={key} id={key} title={title} note={list.length === 0 ? undefined : `${note} · ${list.length}`}>
        {list.length === 0 ? (
          <p className="t2">{none}</p>
        ) : (
          <IssueTable issues={list} base={`/${viewer.organization.slug}/issues`} now={viewer.now} title={title} />
        )}
      </Section>
    )
  })
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
      label={title}
      columns={['Issue', { label: 'ID', isHidden: true }, numeric('Events'), numeric('Users'), numeric('Last seen')]}
    >
      {issues.map(issue => (
        <tr key={issue.id}>
          <td className="grows">
            <Link className="row withlevel" href={`${base}/${issue.id}`}>
              <Level level={issue.level} />
              <bdi className="cut">{shorten(issue.title, 160)}</bdi>
            </Link>
          </td>
          <td className="mono t3">{issue.shortId}</td>
          <td className="num">{formatCount(issue.eventCount)}</td>
          <td className="num">{issue.userCount === 0 ? '–' : formatUsers(issue.userCount)}</td>
          <td className="num t2">
            <Ago at={issue.lastSeen} now={now} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
