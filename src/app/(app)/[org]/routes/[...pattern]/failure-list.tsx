import { isSureMove } from '#domain/findings/route/compare-profiles.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { type ProfileMeasure, profileRoute } from '#domain/routes/route-profile.ts'
import { areRequestsEstimated, type RouteSummary } from '#domain/routes/summarize-route.ts'
import { parseSearch } from '#search/parse-search.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { DataTable, stacked } from '#ui/data-table.tsx'
import { formatCount, formatEstimate, formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { SummaryCells, summaryColumns } from './route-heading.tsx'
import { issueOf, issuesOf, type RouteView, routeSearch } from './route-view.ts'

const most = 8

export async function FailureList({ viewer, params, filter, route }: RouteView) {
  const { slug } = viewer.organization
  const parsed = parseSearch(`is:unresolved ${routeSearch(route.route)}`)
  const listed = await attempt(
    'route issues',
    listIssues(viewer, { ...filter, terms: parsed.ok ? parsed.terms : [], sort: 'events', limit: most }),
  )
  return (
    <Section
      id="failures"
      title="Failures"
      note={formatFailureCounts(route.summary, listed.ok ? listed.value.issues.length : 0)}
    >
      {!listed.ok ? (
        <FailedPanel what="Failures" reference={listed.reference} />
      ) : listed.value.issues.length === 0 ? (
        <p className="t3">No unresolved issues on this route in this time range.</p>
      ) : (
        <table className="tb work">
          <tbody>
            {listed.value.issues.map(issue => (
              <tr {...stacked.row} key={issue.id}>
                <td {...stacked.cell} className="what">
                  <Link href={issueOf(slug, issue.id, params)}>{showHidden(issue.title)}</Link>
                </td>
                <td {...stacked.cell} className="num">
                  {formatCount(issue.events)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {listed.ok && listed.value.next !== null ? (
        <p>
          <Link className="link" href={issuesOf(slug, route.route, params)}>
            View all issues of this route
          </Link>
        </p>
      ) : null}
    </Section>
  )
}

/** Counts errors and failed responses. Without any, counts issues, because messages and warnings are issues but not errors. */
function formatFailureCounts(summary: RouteSummary, issues: number): string {
  const { errors, hydrationFailures, skewFailures, routeLoadFailures, statuses, isRounded } = summary
  const kinds = [
    ...(hydrationFailures > 0 ? [`${formatEstimate(hydrationFailures, isRounded)} in hydration`] : []),
    ...(skewFailures > 0 ? [`${formatEstimate(skewFailures, isRounded)} by deploy skew`] : []),
    ...(routeLoadFailures > 0
      ? [`${formatEstimate(routeLoadFailures, isRounded)} because the page took too long`]
      : []),
  ]
  const isEstimated = areRequestsEstimated(summary)
  const parts = [
    [statuses['5xx'], '5xx', '5xx'],
    [statuses['401'], '401', '401'],
    [statuses['403'], '403', '403'],
    [statuses['404'], '404', '404'],
    [statuses.redirect, 'redirect'],
  ] as const
  const counts = [
    ...(errors > 0
      ? [`${isRounded ? '≈ ' : ''}${formatMany(errors, 'error')}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`]
      : []),
    ...parts
      .filter(([count]) => count > 0)
      .map(([count, one, many]) => `${isEstimated ? '≈ ' : ''}${formatMany(count, one, many)}`),
  ]
  if (counts.length > 0) return counts.join(', ')
  return issues > 0 ? formatMany(issues, 'issue') : 'none'
}

const mostReleases = 12

export function ReleaseTable({ route }: RouteView) {
  const named = route.releases.filter(({ release }) => release !== '')
  if (named.length === 0) return null
  const left = named.length - mostReleases
  const profiles = named.slice(0, mostReleases + 1).map(({ sums }) => profileRoute(sums))
  const beforeOf = (index: number) => {
    const [now, before] = [profiles[index], profiles[index + 1]]
    return now && before
      ? { summary: before.summary, isSure: (measure: ProfileMeasure) => isSureMove(before, now, measure) }
      : null
  }
  return (
    <Section title="By release" note="newest first, each compared with the previous one">
      <DataTable isStacked label="By release" columns={['Release', ...summaryColumns]}>
        {named.slice(0, mostReleases).map(({ release, summary }, index) => (
          <tr {...stacked.row} key={release}>
            <td {...stacked.cell} className="mono">
              {release}
            </td>
            <SummaryCells summary={summary} before={beforeOf(index)} />
          </tr>
        ))}
      </DataTable>
      {left > 0 ? <p className="t3">and {formatCount(left)} older releases</p> : null}
    </Section>
  )
}
