import { ChevronDown } from 'lucide-react'
import { Link } from '#ui/link.tsx'
import { Menu } from '#ui/menu.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { type IssueParams, issuesHref, sorts } from './search-params.ts'

export function QueryRow({ organizationSlug, params }: { organizationSlug: string; params: IssueParams }) {
  const { q, projects, environment, range, sort } = params
  const kept = {
    ...(projects.length === 0 ? {} : { project: projects.join(',') }),
    ...(environment ? { env: environment } : {}),
    ...(range === '24h' ? {} : { range }),
    ...(sort === 'urgency' ? {} : { sort }),
  }
  return (
    <div className="query">
      <SearchBox key={q} organizationSlug={organizationSlug} language="issues" typed={q} kept={kept} />
      <Menu
        className="btn"
        label={
          <>
            Sort: {sorts[sort]}
            <ChevronDown className="i i-s" aria-hidden="true" />
          </>
        }
      >
        {(Object.keys(sorts) as (keyof typeof sorts)[]).map(name => (
          <Link
            key={name}
            href={issuesHref(organizationSlug, params, { sort: name })}
            aria-current={sort === name ? 'true' : undefined}
          >
            {sorts[name]}
          </Link>
        ))}
      </Menu>
    </div>
  )
}
