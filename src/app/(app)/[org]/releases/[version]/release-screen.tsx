import { ArrowLeft, ArrowRight } from 'lucide-react'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { CopyLink } from '#ui/copy-button.tsx'
import { EventBars } from '#ui/issue/event-bars.tsx'
import { Link } from '#ui/link.tsx'
import { Facts, TopBar, Trail } from '#ui/page-parts.tsx'
import { AdoptionChart } from '#ui/release/adoption-chart.tsx'
import { deployMarks } from '#ui/release/deploy-marks.ts'
import styles from '#ui/release/release.module.css'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { listedReleaseHref, type ReleaseParams, releasesHref } from '../search-params.ts'
import type { LoadedRelease } from './load-release.ts'
import { ReleaseCommits, ReleaseDeploys } from './release-commits.tsx'
import { ReleaseFinding, ReleaseVerdict } from './release-finding.tsx'
import { ReleaseIssues } from './release-issues.tsx'
import { ReleaseNumbers, ReleaseRoutes, ReleaseVitals } from './release-numbers.tsx'
import { ReleaseUploads } from './release-uploads.tsx'

type Props = { loaded: LoadedRelease; listed: ReleaseParams }

/** The page of a release: its effect on users first, then uploads, deploys and commits. */
export function ReleaseScreen({ loaded, listed }: Props) {
  const { viewer, release } = loaded
  const { slug } = viewer.organization
  return (
    <>
      <TopBar actions={<CopyLink />}>
        <Trail stops={[{ href: releasesHref(slug, listed), label: 'Releases' }]} here={shorten(release.version, 60)} />
      </TopBar>
      <div className="cols">
        <div className="main">
          <header className="ihdr">
            <ReleaseVerdict loaded={loaded} />
            <h1 className="title mono">
              <bdi>{shorten(release.version, 250)}</bdi>
            </h1>
            <ReleaseNeighbors loaded={loaded} listed={listed} />
          </header>
          <ReleaseFinding loaded={loaded} />
          <ReleaseNumbers loaded={loaded} />
          <ReleaseCharts loaded={loaded} />
          <ReleaseVitals loaded={loaded} />
          <ReleaseRoutes loaded={loaded} />
          <ReleaseIssues loaded={loaded} />
          <ReleaseDeploys loaded={loaded} />
          <ReleaseCommits loaded={loaded} />
          <ReleaseUploads loaded={loaded} />
        </div>
        <aside className="side" aria-label="About this release">
          <ReleaseSide loaded={loaded} />
        </aside>
      </div>
    </>
  )
}

function ReleaseCharts({ loaded }: { loaded: LoadedRelease }) {
  const { activity, release } = loaded
  const hasActivity = activity.ok && activity.value.own.some(count => count > 0)
  return (
    <div className={hasActivity ? styles.charts : ''}>
      <section>
        <h2 className={hasActivity ? '' : 'sr'}>Errors over time</h2>
        <ReleaseChart loaded={loaded} />
      </section>
      {hasActivity ? (
        <section>
          <h2>
            Share of page views and sessions <span className="t3">that this release has</span>
          </h2>
          <AdoptionChart activity={activity.value} release={shorten(release.version, 80)} />
        </section>
      ) : null}
      {activity.ok ? null : <FailedPanel what="Adoption" reference={activity.reference} />}
    </div>
  )
}

/** Errors of the release over time, with its deploys as marks. */
function ReleaseChart({ loaded: { bars, deploys } }: { loaded: LoadedRelease }) {
  if (!bars.ok) return <FailedPanel what="Events over time" reference={bars.reference} />
  if (bars.value.counts.every(count => count === 0))
    return <p className="lede">No errors in this release in the last 14 days.</p>
  return <EventBars bars={bars.value} marks={deployMarks(deploys, bars.value)} />
}

/** Links to the previous and the next release. */
function ReleaseNeighbors({ loaded: { viewer, neighbors }, listed }: Props) {
  const { previous, next } = neighbors
  if (previous === null && next === null) return null
  const { slug } = viewer.organization
  return (
    <nav className="where" aria-label="Other releases">
      {previous === null ? null : (
        <Link
          className="link mono"
          href={listedReleaseHref(slug, previous, listed)}
          rel="prev"
          aria-label={`Previous release ${previous}`}
        >
          <ArrowLeft className="i i-s" aria-hidden="true" /> {shorten(previous, 60)}
        </Link>
      )}
      {next === null ? null : (
        <Link
          className="link mono"
          href={listedReleaseHref(slug, next, listed)}
          rel="next"
          aria-label={`Next release ${next}`}
        >
          {shorten(next, 60)} <ArrowRight className="i i-s" aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}

function ReleaseSide({ loaded: { viewer, release, adoption } }: { loaded: LoadedRelease }) {
  const ago = (at: number | null) => (at === null ? null : <Ago at={at} now={viewer.now} />)
  const counts = adoption.ok ? adoption.value.get(release.version) : undefined
  const projects = viewer.projects.filter(({ id }) => release.projectIds.includes(id)).map(({ slug }) => slug)
  return (
    <section>
      <Facts
        facts={[
          { label: 'Release date', value: release.releasedAt === null ? 'unknown' : ago(release.releasedAt) },
          { label: 'First seen', value: ago(release.createdAt) },
          { label: 'First event', value: release.firstSeen === null ? 'none yet' : ago(release.firstSeen) },
          { label: 'Events, 14 d', value: counts ? formatWhole(counts.events) : null },
          { label: 'Users affected', value: counts && counts.users > 0 ? formatWhole(counts.users) : null },
          { label: 'Projects', value: projects.length === 0 ? 'none' : projects.join(', ') },
          {
            label: 'Commit',
            value: release.ref === '' ? null : <span className="mono">{shorten(release.ref, 40)}</span>,
          },
          { label: 'URL', value: release.url === '' ? null : <OutsideLink url={release.url} /> },
        ]}
      />
    </section>
  )
}

/** Tools may send any text as the URL of a release. Only http(s) URLs become links. */
function OutsideLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span>{shorten(url, 200)}</span>
  return (
    <a className="link" href={url} rel="noreferrer noopener nofollow" target="_blank">
      {shorten(url, 80)}
    </a>
  )
}
