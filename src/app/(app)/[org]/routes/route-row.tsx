import type { RouteListEntry } from '#queries/route-list/list-routes.ts'
import { isFailing, isHandler, viewsOf } from '#queries/route-list/summarise-route.ts'
import { formatCount } from '#ui/format-count.ts'
import { formatDuration } from '#ui/format-duration.ts'
import { formatMany } from '#ui/format-many.ts'
import { Spark } from '#ui/issue-list/spark.tsx'
import { Link } from '#ui/link.tsx'
import { ArrivalMix } from '#ui/route/arrival-mix.tsx'
import { formatVital, vitalLooks } from '#ui/route/format-vital.ts'
import { RouteName } from '#ui/route/route-name.tsx'

/** `project` is undefined where all routes are of one project. */
type Props = { route: RouteListEntry; project: string | undefined; href: string; errorBars: number[] }
const shownVitals = ['lcp', 'inp', 'cls', 'ttfb'] as const

export function RouteRow({ route, project, href, errorBars }: Props) {
  const { requests, arrivals, actions, errors, statuses } = route
  return (
    <tr>
      <td>
        <Link className="row" href={href}>
          <RouteName route={route.route} />
        </Link>
      </td>
      {project === undefined ? null : <td className="t2">{project}</td>}
      <td className="num">
        {isHandler(route) ? (
          <span className="t3">{formatMany(requests.count, 'request')}</span>
        ) : (
          formatCount(Math.round(viewsOf(route)))
        )}
      </td>
      <td className="num">{requests.p75Ms === null ? '–' : formatDuration(requests.p75Ms * 1e3)}</td>
      {shownVitals.map(name => {
        const { hard } = route.vitals[name]
        return (
          <td key={name} className={`num ${hard.verdict ? vitalLooks[hard.verdict] : 't3'}`}>
            {formatVital(name, hard.p75)}
          </td>
        )
      })}
      <td>
        <ArrivalMix arrivals={arrivals} />
      </td>
      <td className="num t2">{actions.count === 0 ? '–' : formatCount(Math.round(actions.count))}</td>
      <td className={isFailing(route) ? 'num bad strong' : 'num'}>
        {errors === 0 && statuses['5xx'] > 0
          ? formatMany(statuses['5xx'], '5xx', '5xx')
          : formatCount(Math.round(errors))}
      </td>
      <td>
        {errorBars.length === 0 ? null : (
          <Spark bars={errorBars} isHot={false} label={`${formatCount(Math.round(errors))} errors`} />
        )}
      </td>
    </tr>
  )
}
