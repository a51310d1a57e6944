import { areRequestsEstimated, areViewsEstimated, hasOnlyRequests } from '#domain/routes/summarize-route.ts'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { formatBytes, formatEstimate, formatShares } from '#ui/format.ts'
import { Section } from '#ui/page-parts.tsx'
import { ArrivalMix, arrivalWaysOf } from '#ui/route/route-name.tsx'
import { formatFetches, formatP75 } from '#ui/route/vital-card.tsx'
import type { RouteView } from './route-view.ts'

/** How prefetches were used, how users arrived, and what it cost. */
export function NavigationLife({ route }: RouteView) {
  const { summary } = route
  if (hasOnlyRequests(summary)) return null
  const { arrivals, prefetches, fetches, navigations, slowLoads, retried } = summary
  const isEstimated = areViewsEstimated(summary)
  const count = (value: number) => formatEstimate(value, isEstimated)
  const prefetchCount = (value: number) => formatEstimate(value, isEstimated || areRequestsEstimated(summary))
  const share = (value: number, of: number) => (of === 0 ? '–' : `${Math.round((value / of) * 100)} %`)
  const ways = arrivalWaysOf(arrivals)
  const shares = formatShares(ways.map(({ key }) => arrivals[key]))
  return (
    <Section id="navigations" title="Navigations" note="how prefetches were used, and how users arrived">
      <p className="t2">
        {prefetches.sent > 0 ? (
          <>
            <Prefetches sent={prefetches.sent} count={prefetchCount} />: {prefetchCount(prefetches.used)} used,{' '}
            {prefetchCount(prefetches.wasted)} wasted ({share(prefetches.wasted, prefetches.sent)}).{' '}
          </>
        ) : null}
        {prefetches.byBrowser > 0 ? (
          <>
            <Prefetches sent={prefetches.byBrowser} count={prefetchCount} /> by the browser; whether a click used{' '}
            {Math.round(prefetches.byBrowser) === 1 ? 'it' : 'them'} isn’t reported.{' '}
          </>
        ) : null}
        {prefetches.sent + prefetches.byBrowser === 0 ? 'The SDK has reported no prefetch. ' : null}
        {ways.length === 0 ? (
          'There were no navigations.'
        ) : (
          <>
            <b>
              {count(navigations)} {Math.round(navigations) === 1 ? 'navigation' : 'navigations'}
            </b>
            {fetches.count === 0
              ? arrivals.unknown > 0
                ? '.'
                : ', none of which had to fetch data.'
              : `; ${count(fetches.count)} ${Math.round(fetches.count) === 1 ? 'request' : 'requests'} on click, ${formatP75('request', fetches.p75Ms ?? 0)} (p75)${
                  fetches.meanBytes === null ? '' : ` and ${formatBytes(Math.round(fetches.meanBytes))} each`
                }.`}
          </>
        )}
      </p>
      {ways.length === 0 ? null : (
        <>
          <ArrivalMix arrivals={arrivals} fetched={formatFetches(summary)} isWide />
          <DataTable
            isStacked
            label="Arrivals"
            columns={['Arrived by', numeric('Navigations'), numeric('Share'), 'Meaning']}
          >
            {ways.map(({ key, label, look, meaning }, index) => (
              <tr {...stacked.row} key={key}>
                <td {...stacked.cell}>
                  <i className={`dot ${look}`} />
                  {label}
                </td>
                <td {...stacked.cell} className="num" data-label="Navigations">
                  {count(arrivals[key])}
                </td>
                <td {...stacked.cell} className="num t2" data-label="Share">
                  {shares[index]}
                </td>
                <td {...stacked.cell} className="t2 prose">
                  {key === 'unknown' ? summary.whyUnknown.join(' ') : meaning}
                  {key === 'cold' && fetches.count > 0 ? `, ${formatFetches(summary)}` : null}
                </td>
              </tr>
            ))}
          </DataTable>
        </>
      )}
      <dl className="rfacts" style={{ marginTop: 16 }}>
        {summary.componentRequests.count > 0 ? (
          <Fact name="Server components, p75" value={formatP75('request', summary.componentRequests.p75Ms)} />
        ) : null}
        <Fact name="Page loads over 3.8 s" value={count(slowLoads.page)} isBad={slowLoads.page > 0} />
        <Fact name="Navigations over 3.8 s" value={count(slowLoads.navigation)} isBad={slowLoads.navigation > 0} />
        {summary.routeLoadFailures > 0 ? (
          <Fact name="Gave up loading" value={formatEstimate(summary.routeLoadFailures, summary.isRounded)} isBad />
        ) : null}
        <Fact
          name="Retried requests"
          value={retried.requests === 0 ? '0' : `${count(retried.requests)}, ${count(retried.attempts)} attempts`}
          isBad={retried.requests > 0}
        />
        <Fact
          name="Failed after a deploy"
          value={formatEstimate(summary.skewFailures, summary.isRounded)}
          isBad={summary.skewFailures > 0}
        />
        <Fact name="Canceled" value={count(summary.cancelled)} />
        <Fact name="Long frames" value={count(summary.longFrames.count)} />
      </dl>
    </Section>
  )
}

function Prefetches({ sent, count }: { sent: number; count: (value: number) => string }) {
  return (
    <b>
      {count(sent)} {Math.round(sent) === 1 ? 'prefetch' : 'prefetches'}
    </b>
  )
}

function Fact({ name, value, isBad = false }: { name: string; value: string; isBad?: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={isBad ? 'meh' : undefined}>{value}</dd>
    </div>
  )
}
