import { Search } from 'lucide-react'
import type { Viewer } from '#domain/access/viewer.ts'
import type { ReleaseSort } from '#domain/releases/list-releases.ts'
import { GetForm } from '#ui/get-form.tsx'
import { Link } from '#ui/link.tsx'
import { keptParams, type ReleaseParams, releasesHref } from './search-params.ts'

const sorts: Record<ReleaseSort, string> = { date: 'Newest', version: 'Version' }

/** A form and links, so that the state is in the URL and JavaScript is not needed. */
export function ReleaseFilters({ viewer, params }: { viewer: Viewer; params: ReleaseParams }) {
  const { slug } = viewer.organization
  return (
    <div className="query">
      <GetForm key={params.q} action={`/${slug}/releases`} className="searchform" role="search">
        {Object.entries(keptParams(params)).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="search">
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
        </div>
      </GetForm>
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
