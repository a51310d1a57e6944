import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { type ReleaseParams, releasesHref } from './search-params.ts'

type Props = { organizationSlug: string; params: ReleaseParams; hasAny: boolean }

/** An empty list says why it is empty and what the next step is. */
export function NoReleases({ organizationSlug, params, hasAny }: Props) {
  const first = releasesHref(organizationSlug, { ...params, page: 1 })
  if (hasAny)
    return (
      <Blank
        title="No more releases"
        actions={
          <Link className="btn" href={first}>
            First page
          </Link>
        }
      >
        The list ends before this page.
      </Blank>
    )
  if (params.q !== '' || params.project !== '')
    return (
      <Blank
        title="No release matches"
        actions={
          <Link className="btn" href={releasesHref(organizationSlug, { ...params, q: '', project: '' })}>
            All releases
          </Link>
        }
      >
        A release is found by any part of its version.
      </Blank>
    )
  return (
    <Blank
      title="No release yet"
      actions={
        <Link className="btn primary" href={`/${organizationSlug}/settings/tokens`}>
          Make a token for builds
        </Link>
      }
    >
      A release appears with the first event that names one, or when a build creates it with sentry-cli or a bundler
      plugin.
    </Blank>
  )
}
