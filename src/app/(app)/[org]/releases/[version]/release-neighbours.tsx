import { ArrowLeft, ArrowRight } from 'lucide-react'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { releaseHref } from '#web/release-href.ts'
import type { LoadedRelease } from './load-release.ts'

/** The way to the release before and to the one after. */
export function ReleaseNeighbours({ loaded: { viewer, neighbours } }: { loaded: LoadedRelease }) {
  const { previous, next } = neighbours
  if (previous === null && next === null) return null
  const { slug } = viewer.organization
  return (
    <nav className="where" aria-label="Other releases">
      {previous === null ? null : (
        <Link
          className="link mono"
          href={releaseHref(slug, previous)}
          rel="prev"
          aria-label={`Previous release ${previous}`}
        >
          <ArrowLeft className="i i-s" aria-hidden="true" /> {shorten(previous, 60)}
        </Link>
      )}
      {next === null ? null : (
        <Link className="link mono" href={releaseHref(slug, next)} rel="next" aria-label={`Next release ${next}`}>
          {shorten(next, 60)} <ArrowRight className="i i-s" aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}
