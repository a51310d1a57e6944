import type { AdoptedRelease } from '#queries/releases/count-adoption.ts'
import type { ReleaseListRow } from '#queries/releases/list-releases.ts'
import { releaseTime } from '#queries/releases/read-releases.ts'
import type { Viewer } from '#queries/viewer.ts'
import { Ago } from '#ui/ago.tsx'
import { formatCount } from '#ui/format-count.ts'
import { Link } from '#ui/link.tsx'
import { AdoptionBar } from '#ui/release/adoption-bar.tsx'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { shorten } from '#ui/shorten.ts'
import { releaseHref } from '#web/release-href.ts'

type Props = { releases: ReleaseListRow[]; adoption: ReadonlyMap<string, AdoptedRelease>; viewer: Viewer }

export function ReleaseTable({ releases, adoption, viewer }: Props) {
  return (
    <ScrollRegion className="tb-scroll" label="Releases">
      <table className="tb page releases">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col" className="num">
              Released
            </th>
            <th scope="col">Users, 24 h</th>
            <th scope="col" className="num">
              Events, 14 d
            </th>
            <th scope="col" className="num">
              New issues
            </th>
            <th scope="col" className="num">
              Commits
            </th>
            <th scope="col">Last deploy</th>
            <th scope="col">Project</th>
          </tr>
        </thead>
        <tbody>
          {releases.map(release => (
            <Row
              key={release.version}
              release={release}
              adoption={adoption.get(release.version) ?? null}
              viewer={viewer}
            />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Row({
  release,
  adoption,
  viewer,
}: {
  release: ReleaseListRow
  adoption: AdoptedRelease | null
  viewer: Viewer
}) {
  const { lastDeploy } = release
  const projects = viewer.projects.filter(({ id }) => release.projectIds.includes(id)).map(({ slug }) => slug)
  return (
    <tr>
      <td>
        <Link className="row mono cut" href={releaseHref(viewer.organization.slug, release.version)}>
          <bdi>{shorten(release.version, 80)}</bdi>
        </Link>
      </td>
      <td className="num t2">
        <Ago at={releaseTime(release)} now={viewer.now} />
      </td>
      <td>{adoption?.share == null ? <span className="t3">–</span> : <AdoptionBar share={adoption.share} />}</td>
      <td className="num">{adoption === null || adoption.events === 0 ? '–' : formatCount(adoption.events)}</td>
      <td className={release.newIssues > 0 ? 'num strong' : 'num'}>{release.newIssues || '–'}</td>
      <td className="num t2">{release.commitCount || '–'}</td>
      <td className="t2">
        {lastDeploy === null ? (
          '–'
        ) : (
          <>
            {shorten(lastDeploy.environment, 40)} <Ago at={lastDeploy.finishedAt} now={viewer.now} />
          </>
        )}
      </td>
      <td className="t2">
        {projects.slice(0, 3).join(', ')}
        {projects.length > 3 ? ` and ${projects.length - 3} more` : ''}
      </td>
    </tr>
  )
}
