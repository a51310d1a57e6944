import type { Viewer } from '#domain/access/viewer.ts'
import { type ReleaseListRow, releasesPerPage } from '#domain/releases/list-releases.ts'
import { releaseTime } from '#domain/releases/read-releases.ts'
import type { AdoptedRelease } from '#domain/releases/release-counts.ts'
import { Blank } from '#ui/blank.tsx'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { formatCount, formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { AdoptionBar } from '#ui/release/adoption-bar.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { readTimeZone } from '#web/time-zone.ts'
import { inTime } from '../list-params.ts'
import styles from './release-table.module.css'
import { listedReleaseHref, type ReleaseParams, releasesHref } from './search-params.ts'

type Props = {
  releases: ReleaseListRow[]
  adoption: ReadonlyMap<string, AdoptedRelease>
  viewer: Viewer
  params: ReleaseParams
  /** Null if the query failed. */
  newIssuesOf: (release: ReleaseListRow) => number | null
  /** On all pages. */
  total: number
}

export async function ReleaseTable({ releases, adoption, viewer, params, newIssuesOf, total }: Props) {
  const { zone } = await readTimeZone()
  const place = params.environment === undefined ? null : shorten(params.environment, 40)
  return (
    <>
      <DataTable
        label="Releases"
        look={`page releases ${styles.releases}`}
        isStacked
        columns={[
          'Version',
          numeric('Released'),
          'Users',
          numeric('Events'),
          numeric('New issues'),
          numeric('Commits'),
          'Last deploy',
          'Project',
        ]}
      >
        {releases.map(release => (
          <Row
            key={release.version}
            release={release}
            adoption={adoption.get(release.version) ?? null}
            viewer={viewer}
            params={params}
            newIssues={newIssuesOf(release)}
          />
        ))}
      </DataTable>
      <footer className="lfoot">
        <span>
          <span>{formatMany(total, 'release')}</span>.{' '}
          <span className="t3">
            Users, events and new issues are those {inTime(params, zone)}
            {place === null ? '' : ` in ${place}; the last deploy is the last to ${place}`}.
          </span>
        </span>
      </footer>
    </>
  )
}

function Row({
  release,
  adoption,
  viewer,
  params,
  newIssues,
}: {
  release: ReleaseListRow
  adoption: AdoptedRelease | null
  viewer: Viewer
  params: ReleaseParams
  newIssues: number | null
}) {
  const { lastDeploy } = release
  const projects = viewer.projects.filter(({ id }) => release.projectIds.includes(id)).map(({ slug }) => slug)
  return (
    <tr {...stacked.row}>
      <td {...stacked.cell} className={styles.version}>
        <Link className="row mono cut" href={listedReleaseHref(viewer.organization.slug, release.version, params)}>
          <bdi>{shorten(release.version, 80)}</bdi>
        </Link>
      </td>
      <td {...stacked.cell} className={`num t2 ${styles.released}`}>
        <Ago at={releaseTime(release)} now={viewer.now} />
      </td>
      <td {...stacked.cell} className={styles.users} data-label="Users">
        {adoption?.share == null ? <span className="t3">–</span> : <AdoptionBar share={adoption.share} />}
      </td>
      <td {...stacked.cell} className="num" data-label="Events">
        {adoption === null ? '–' : formatCount(adoption.events)}
      </td>
      <td {...stacked.cell} className={newIssues ? 'num strong' : 'num'} data-label="New issues">
        {newIssues === null ? '–' : formatCount(newIssues)}
      </td>
      <td {...stacked.cell} className="num t2" data-label="Commits">
        {release.commitCount || '–'}
      </td>
      <td {...stacked.cell} className={`t2 ${styles.deploy}`} data-label="Last deploy">
        {lastDeploy === null ? (
          '–'
        ) : (
          <>
            {shorten(lastDeploy.environment, 40)} <Ago at={lastDeploy.finishedAt} now={viewer.now} />
          </>
        )}
      </td>
      <td {...stacked.cell} className="t2" data-label="Project">
        {projects.slice(0, 3).join(', ')}
        {projects.length > 3 ? ` and ${projects.length - 3} more` : ''}
      </td>
    </tr>
  )
}

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
          Previous
        </Link>
      ) : null}
      <span className="t3">
        Page {params.page} of {last}
      </span>
      {params.page < last ? (
        <Link className="btn s" href={releasesHref(organizationSlug, params, { page: params.page + 1 })}>
          Next
        </Link>
      ) : null}
    </nav>
  )
}

type NoReleasesProps = { organizationSlug: string; params: ReleaseParams; hasAny: boolean }

/** Says why the list is empty and offers the next step. */
export function NoReleases({ organizationSlug, params, hasAny }: NoReleasesProps) {
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
        This page is past the end of the list.
      </Blank>
    )
  if (params.q !== '' || params.projects.length > 0 || params.span !== undefined)
    return (
      <Blank
        title="No matching releases"
        actions={
          <Link
            className="btn"
            href={releasesHref(organizationSlug, { ...params, q: '', projects: [], span: undefined })}
          >
            Clear filters
          </Link>
        }
      >
        No release that existed by the chosen time has this project and version.
      </Blank>
    )
  return (
    <Blank
      title="No releases yet"
      actions={
        <Link className="btn primary" href={`/${organizationSlug}/settings/tokens`}>
          Create a token for builds
        </Link>
      }
    >
      A release appears with its first event, or when a build creates it with sentry-cli or a bundler plugin.
    </Blank>
  )
}
