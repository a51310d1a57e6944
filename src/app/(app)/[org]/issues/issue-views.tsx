import { ChevronDown } from 'lucide-react'
import type { Viewer } from '#domain/access/viewer.ts'
import { countIssueViews } from '#domain/issues/count-issue-views.ts'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Menu } from '#ui/menu.tsx'
import { attempt } from '#web/attempt.ts'
import { IssueSearch } from '../search/issue-search.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import type { IssueList } from './load-list.ts'
import { type IssueParams, issuesHref, keptParams, readFilter, sortHints, sorts } from './search-params.ts'

const views = [
  { label: 'Unresolved', q: 'is:unresolved', count: 'unresolved' },
  { label: 'New', q: 'is:new', count: 'new' },
  { label: 'Escalating', q: 'is:escalating', count: 'escalating' },
  { label: 'Regressed', q: 'is:regressed', count: 'regressed' },
  { label: 'Mine', q: 'is:unresolved assigned:me', count: 'mine' },
  { label: 'Resolved', q: 'is:resolved', count: null },
  { label: 'Archived', q: 'is:archived', count: null },
] as const

/** The most common searches, with counts for the chosen projects and time range. */
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
      <SavedViews viewer={viewer} list="issues" href={issuesHref(viewer.organization.slug, params)} />
    </nav>
  )
}

type QueryRowProps = { organizationSlug: string; params: IssueParams; list: Promise<IssueList> }

export async function QueryRow({ organizationSlug, params, list }: QueryRowProps) {
  const read = await list
  const found = read.kind === 'read' ? read.page.total : null
  const { q, sort } = params
  return (
    <div className="query">
      <IssueSearch
        key={q}
        organizationSlug={organizationSlug}
        typed={q}
        hiddenFields={keptParams(params)}
        found={found}
      />
      <Menu
        className="btn"
        isLazy
        label={
          <>
            <span title={sortHints[sort]}>Sort: {sorts[sort]}</span>
            <ChevronDown className="i i-s" aria-hidden="true" />
          </>
        }
      >
        {(Object.keys(sorts) as (keyof typeof sorts)[]).map(name => (
          <Link
            key={name}
            href={issuesHref(organizationSlug, params, { sort: name })}
            aria-current={sort === name ? 'true' : undefined}
            title={sortHints[name]}
          >
            {sorts[name]}
          </Link>
        ))}
      </Menu>
    </div>
  )
}
