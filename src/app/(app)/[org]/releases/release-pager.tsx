import { releasesPerPage } from '#queries/releases/list-releases.ts'
import { Link } from '#ui/link.tsx'
import { type ReleaseParams, releasesHref } from './search-params.ts'

export function ReleasePager({
  organizationSlug,
  params,
  total,
}: {
  organizationSlug: string
  params: ReleaseParams
  total: number
}) {
  const last = Math.ceil(total / releasesPerPage)
  if (last <= 1) return null
  return (
    <nav className="rpager" aria-label="Pages">
      {params.page > 1 ? (
        <Link className="btn s" href={releasesHref(organizationSlug, params, { page: params.page - 1 })}>
          Back
        </Link>
      ) : null}
      <span className="t3">
        Page {params.page} of {last}
      </span>
      {params.page < last ? (
        <Link className="btn s" href={releasesHref(organizationSlug, params, { page: params.page + 1 })}>
          On
        </Link>
      ) : null}
    </nav>
  )
}
