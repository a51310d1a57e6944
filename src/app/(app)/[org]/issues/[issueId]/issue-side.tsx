import { formatWhole } from '#lib/format-whole.ts'
import { formatUsers } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Facts } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { releaseHref } from '#web/release-href.ts'
import type { LoadedIssue } from './load-issue.ts'
import { issueHref } from './search-params.ts'

export function IssueSide({ loaded: { issue, state, assignees, viewer } }: { loaded: LoadedIssue }) {
  const seen = (at: number, release: string) => (
    <>
      <Ago at={at} now={viewer.now} />
      {release ? (
        <Link className="link mono release" href={releaseHref(viewer.organization.slug, release)}>
          {shorten(release, 80)}
        </Link>
      ) : null}
    </>
  )
  const owner = assignees.find(({ id }) => state.assignee === id)
  return (
    <section>
      <Facts
        facts={[
          { label: 'Assignee', value: owner ? shorten(owner.name, 80) : 'Unassigned' },
          {
            label: 'Priority',
            value: <span className={state.priority === 'high' ? 'bad' : ''}>{state.priority}</span>,
          },
          {
            label: 'Events',
            value: (
              <Link
                className="link"
                href={issueHref(
                  viewer.organization.slug,
                  issue.id,
                  { projects: [], query: '', environment: undefined },
                  '/events',
                )}
              >
                {formatWhole(issue.eventCount)}
              </Link>
            ),
          },
          { label: 'Users', value: issue.userCount === 0 ? 'none reported' : formatUsers(issue.userCount) },
          { label: 'First seen', value: seen(issue.firstSeen, state.firstRelease) },
          { label: 'Last seen', value: seen(issue.lastSeen, state.lastRelease) },
          { label: 'Project', value: issue.projectSlug },
        ]}
      />
    </section>
  )
}
