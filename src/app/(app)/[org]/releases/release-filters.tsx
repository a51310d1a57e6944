import { Search } from 'lucide-react'
import type { Viewer } from '#domain/access/viewer.ts'
import type { ReleaseSort } from '#domain/releases/list-releases.ts'
import { Link } from '#ui/link.tsx'
import { type ReleaseParams, releasesHref } from './search-params.ts'

const sorts: Record<ReleaseSort, string> = { date: 'Newest', version: 'Version' }

/** A form and links, so that the state is in the URL and JavaScript is not needed. */
export function ReleaseFilters({ viewer, params }: { viewer: Viewer; params: ReleaseParams }) {
  const { slug } = viewer.organization
  return (
    <div className="rfilter">
      <form action={`/${slug}/releases`} className="rsearch">
        <Search className="i" aria-hidden="true" />
        <input
          name="q"
          type="search"
          defaultValue={params.q}
          placeholder="Filter releases"
          aria-label="Search releases"
          maxLength={250}
          spellCheck={false}
          autoComplete="off"
        />
        <select name="project" defaultValue={params.project} aria-label="Project">
          <option value="">All projects</option>
          {viewer.projects.map(project => (
            <option key={project.id} value={project.slug}>
              {project.slug}
            </option>
          ))}
        </select>
        {params.sort === 'date' ? null : <input type="hidden" name="sort" value={params.sort} />}
        <button type="submit" className="btn s">
          Apply
        </button>
      </form>
      <nav className="seg" aria-label="Sort">
        {(Object.keys(sorts) as ReleaseSort[]).map(sort => (
          <Link
            key={sort}
            href={releasesHref(slug, params, { sort })}
            aria-current={sort === params.sort ? 'true' : undefined}
          >
            {sorts[sort]}
          </Link>
        ))}
      </nav>
    </div>
  )
}
