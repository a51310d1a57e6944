import { CopyLink } from '#ui/copy-link.tsx'
import { shorten } from '#ui/shorten.ts'
import { TopBar } from '#ui/top-bar.tsx'
import { Trail } from '#ui/trail.tsx'
import type { LoadedRelease } from './load-release.ts'
import { ReleaseChart } from './release-chart.tsx'
import { ReleaseCommits } from './release-commits.tsx'
import { ReleaseDeploys } from './release-deploys.tsx'
import { ReleaseIssues } from './release-issues.tsx'
import { ReleaseNeighbours } from './release-neighbours.tsx'
import { ReleaseSide } from './release-side.tsx'
import { ReleaseUploads } from './release-uploads.tsx'

/** A release as a page: what it did to people first, how it came about below. */
export function ReleaseScreen({ loaded }: { loaded: LoadedRelease }) {
  const { viewer, release } = loaded
  const { slug } = viewer.organization
  return (
    <>
      <TopBar actions={<CopyLink />}>
        <Trail stops={[{ href: `/${slug}/releases`, label: 'Releases' }]} here={shorten(release.version, 60)} />
      </TopBar>
      <div className="cols">
        <div className="main">
          <header className="ihdr">
            <h1 className="title mono">
              <bdi>{shorten(release.version, 250)}</bdi>
            </h1>
            <ReleaseNeighbours loaded={loaded} />
          </header>
          <ReleaseChart loaded={loaded} />
          <ReleaseIssues loaded={loaded} />
          <ReleaseUploads loaded={loaded} />
          <ReleaseDeploys loaded={loaded} />
          <ReleaseCommits loaded={loaded} />
        </div>
        <aside className="side" aria-label="About this release">
          <ReleaseSide loaded={loaded} />
        </aside>
      </div>
    </>
  )
}
