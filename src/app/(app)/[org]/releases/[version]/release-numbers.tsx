import type { ReleaseComparison, ReleaseSide } from '#domain/findings/release/compare-release.ts'
import { vitalBefore } from '#domain/findings/route/compare-profiles.ts'
import { compareProfiles } from '#domain/findings/route/describe-route.ts'
import type { RouteProfile } from '#domain/routes/route-profile.ts'
import { errorRateOf, hasSampledViews, rateServer } from '#domain/routes/summarize-route.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { ShortFinding } from '#ui/finding/finding-line.tsx'
import { formatCount, formatEstimate, formatMany, formatRate, formatSampled } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { AdoptionBar } from '#ui/release/adoption-bar.tsx'
import { type NumberCard, NumberStrip } from '#ui/release/number-strip.tsx'
import { RouteName } from '#ui/route/route-name.tsx'
import { formatP75, VitalCard, vitalLooks, vitals } from '#ui/route/vital-card.tsx'
import { readRouteParams, routeHref } from '../../routes/search-params.ts'
import { type LoadedRelease, releaseSearch, seenRange } from './load-release.ts'

/** How the release does: errors, adoption, issues and server time, each with what it was before. */
export function ReleaseNumbers({ loaded }: { loaded: LoadedRelease }) {
  const { comparison } = loaded
  if (!comparison.ok) return <FailedPanel what="Comparison" reference={comparison.reference} />
  const { current, previous } = comparison.value
  const cards = [errorCard(current, previous), adoptionCard(loaded), issueCard(loaded), serverCard(current, previous)]
  return <NumberStrip label="The release in numbers" cards={cards} />
}

/** Sessions if the SDK sends them, else page views or requests. */
function errorCard(current: ReleaseSide, previous: ReleaseSide | null): NumberCard {
  const { sessions } = current
  if (sessions.count > 0)
    return {
      label: 'Sessions with an error',
      value: formatRate(sessions.failed / sessions.count),
      was:
        previous && previous.sessions.count > 0 ? formatRate(previous.sessions.failed / previous.sessions.count) : '',
      note: `of ${formatMany(sessions.count, 'session')}`,
    }
  const rate = errorRateOf(current.profile.summary)
  const before = previous && errorRateOf(previous.profile.summary)
  if (rate === null) return { label: 'Visits with an error', value: '–', note: 'no page views or requests were sent' }
  return {
    label: 'Visits with an error',
    value: rateWords(rate),
    look: vitalLooks[rate.rating],
    was: before ? rateWords(before) : '',
    note: `of ${formatSampled(rate.visits, rate.stored, 'visit')}`,
  }
}

const rateWords = ({ rate, isEstimated }: NonNullable<ReturnType<typeof errorRateOf>>): string =>
  `${isEstimated ? '≈ ' : ''}${formatRate(rate)}`

function adoptionCard({ adoption, release }: LoadedRelease): NumberCard {
  const share = adoption.ok ? (adoption.value.get(release.version)?.share ?? null) : null
  return {
    label: 'Adoption',
    value: share === null ? '–' : <AdoptionBar share={share} />,
    note: share === null ? 'no users in the last 24 h' : 'of users in the last 24 h',
  }
}

function issueCard({ issues, seen, viewer, release }: LoadedRelease): NumberCard {
  const total = seen.ok ? (seen.value.total ?? seen.value.issues.length) : null
  const kinds = [
    { id: 'new', count: issues.newCount, word: 'new' },
    { id: 'regressed', count: issues.regressed.length, word: 'regressed' },
    { id: 'resolved', count: issues.resolved.length, word: 'resolved' },
  ].filter(({ count }) => count > 0)
  return {
    label: 'Issues seen',
    value:
      total === null ? (
        '–'
      ) : (
        <Link className="link" href={seenHref(viewer.organization.slug, release.version)}>
          {formatCount(total)}
        </Link>
      ),
    note:
      kinds.length === 0
        ? 'none of them new'
        : kinds.map(({ id, count, word }, index) => (
            <span key={id}>
              {index > 0 ? ', ' : null}
              <a className="link" href={`#${id}`}>
                {formatWhole(count)} {word}
              </a>
            </span>
          )),
  }
}

export const seenHref = (slug: string, version: string, key?: 'firstRelease'): string =>
  `/${slug}/issues?${new URLSearchParams({ q: releaseSearch(version, key), range: seenRange, sort: 'events' })}`

/** The issue with those events that its row counts. */
export const seenIssueHref = (slug: string, issueId: number, version: string): string =>
  `/${slug}/issues/${issueId}?${new URLSearchParams({ range: seenRange, query: releaseSearch(version) })}`

function serverCard(current: ReleaseSide, previous: ReleaseSide | null): NumberCard {
  const { requests, stored } = current.profile.summary
  const rating = rateServer(current.profile.summary)
  const before = previous?.profile.summary.requests.p75Ms ?? null
  return {
    label: 'Server time, p75',
    value: formatP75('request', requests.p75Ms),
    look: rating ? vitalLooks[rating] : '',
    was: before === null ? '' : formatP75('request', before),
    note:
      requests.count === 0
        ? 'no requests were sent'
        : `of ${formatSampled(requests.count, stored.requests, 'request')}`,
  }
}

/** Web vitals of all routes, compared with the previous release at the same age. */
export function ReleaseVitals({ loaded: { comparison } }: { loaded: LoadedRelease }) {
  if (!comparison.ok) return null
  const { current, previous } = comparison.value
  const { summary } = current.profile
  const measured = Math.max(...vitals.map(({ name }) => summary.vitals[name].hard.count))
  if (measured === 0) return null
  return (
    <Section
      id="vitals"
      title="Web vitals"
      note={`p75 of ${formatEstimate(measured, hasSampledViews(summary))} measured ${Math.round(measured) === 1 ? 'page load' : 'page loads'}${previous ? `, compared with ${previous.version} at the same age` : ''}`}
    >
      <div className="vitals">
        {vitals.map(({ name, meaning }) => (
          <VitalCard
            key={name}
            name={name}
            meaning={meaning}
            vital={summary.vitals[name]}
            before={previous && vitalBefore(previous.profile, current.profile, name)}
          />
        ))}
      </div>
    </Section>
  )
}

const mostRoutes = 12

/** The most visited routes: which of them the release has changed. */
export function ReleaseRoutes({ loaded: { comparison, viewer } }: { loaded: LoadedRelease }) {
  if (!comparison.ok || comparison.value.routes.length === 0) return null
  const { routes, previous } = comparison.value
  return (
    <Section
      id="routes"
      title="By route"
      note={previous ? `compared with ${previous.version} at the same age` : 'the most visited first'}
    >
      <DataTable
        isStacked
        label="By route"
        columns={[
          'Route',
          numeric('Visits'),
          numeric('Error rate'),
          numeric('LCP p75'),
          numeric('Server p75'),
          'Change',
        ]}
      >
        {routes.slice(0, mostRoutes).map(change => (
          <RouteRow key={change.route} change={change} slug={viewer.organization.slug} />
        ))}
      </DataTable>
      {routes.length > mostRoutes ? (
        <p className="t3 sec-note">and {formatMany(routes.length - mostRoutes, 'less visited route')}</p>
      ) : null}
    </Section>
  )
}

function RouteRow({ change, slug }: { change: ReleaseComparison['routes'][number]; slug: string }) {
  const { route, before, after } = change
  const rate = errorRateOf(after.summary)
  const earlierRate = before && errorRateOf(before.summary)
  const { hard } = after.summary.vitals.lcp
  const server = rateServer(after.summary)
  const finding = before ? compareProfiles(before, after, { words: [], version: null }) : []
  return (
    <tr {...stacked.row}>
      <td {...stacked.cell}>
        <Link className="row" href={routeHref(slug, route, readRouteParams({}))}>
          <RouteName route={route} />
        </Link>
      </td>
      <td {...stacked.cell} data-label="Visits" className="num">
        {formatEstimate(after.visits, after.storedVisits < Math.round(after.visits))}
      </td>
      <td {...stacked.cell} data-label="Error rate" className={`num ${rate ? vitalLooks[rate.rating] : 't3'}`}>
        {rate ? rateWords(rate) : '–'}
        <Was text={earlierRate ? rateWords(earlierRate) : ''} />
      </td>
      <td {...stacked.cell} data-label="LCP p75" className={`num ${hard.rating ? vitalLooks[hard.rating] : 't3'}`}>
        {formatP75('lcp', hard.p75)}
        <Was text={wasVital(before)} />
      </td>
      <td {...stacked.cell} data-label="Server p75" className={`num ${server ? vitalLooks[server] : 't3'}`}>
        {formatP75('request', after.summary.requests.p75Ms)}
        <Was text={before?.summary.requests.p75Ms == null ? '' : formatP75('request', before.summary.requests.p75Ms)} />
      </td>
      <td {...stacked.cell}>{finding.length > 0 ? <ShortFinding finding={finding} /> : null}</td>
    </tr>
  )
}

const wasVital = (before: RouteProfile | null): string => {
  const p75 = before?.summary.vitals.lcp.hard.p75 ?? null
  return p75 === null ? '' : formatP75('lcp', p75)
}

function Was({ text }: { text: string }) {
  return text === '' ? null : <small className="t3"> was {text}</small>
}
