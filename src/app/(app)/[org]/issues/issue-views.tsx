import { countIssueViews } from '#queries/count-issue-views.ts'
import type { Viewer } from '#queries/viewer.ts'
import { formatCount } from '#ui/format-count.ts'
import { Link } from '#ui/link.tsx'
import { attempt } from '#web/attempt.ts'
import { readFilter } from './read-filter.ts'
import { type IssueParams, issuesHref } from './search-params.ts'

const views = [
  { label: 'Unresolved', q: 'is:unresolved', count: 'unresolved' },
  { label: 'New', q: 'is:new', count: 'new' },
  { label: 'Escalating', q: 'is:escalating', count: 'escalating' },
  { label: 'Regressed', q: 'is:regressed', count: 'regressed' },
  { label: 'Mine', q: 'is:unresolved assigned:me', count: 'mine' },
  { label: 'Resolved', q: 'is:resolved', count: null },
  { label: 'Archived', q: 'is:archived', count: null },
] as const

/** The searches that are made most. Their counts are those of the chosen projects and time. */
export async function IssueViews({ viewer, params }: { viewer: Viewer; params: IssueParams }) {
  const read = readFilter(viewer, { ...params, q: '' })
  const counts = read.ok ? await attempt('issue views', countIssueViews(viewer, read.filter)) : null
  return (
    <nav className="views" aria-label="Views">
      {views.map(({ label, q, count }) => (
        <Link
          key={label}
          href={issuesHref(viewer.organization.slug, params, { q })}
          aria-current={params.q === q ? 'page' : undefined}
        >
          {label}
          {count && counts?.ok && counts.value[count] > 0 ? (
            <span className="n">{formatCount(counts.value[count])}</span>
          ) : null}
        </Link>
      ))}
    </nav>
  )
}
