import type { Clause } from '#domain/findings/clause.ts'
import { FindingLine } from '#ui/finding/finding-line.tsx'
import { releaseHref } from '#web/release-href.ts'
import { chartMetrics, routeHref } from '../search-params.ts'
import type { FirstScreen, RouteView } from './route-view.ts'

/** What changed about the route, and in which part of a visit. */
export async function RouteFinding(view: RouteView & Pick<FirstScreen, 'finding'>) {
  const found = await view.finding
  if (!found.ok) return null
  return <FindingLine finding={found.value} hrefOf={clause => evidenceHref(view, clause)} />
}

function evidenceHref({ viewer, params, route }: RouteView, { evidence }: Clause): string {
  const { slug } = viewer.organization
  if (evidence.kind === 'release') return releaseHref(slug, evidence.version)
  if (evidence.kind === 'section') return `${routeHref(slug, route.route, params)}#${evidence.id}`
  const chart = evidence.kind === 'chart' ? chartMetrics.find(metric => metric === evidence.measure) : undefined
  return `${routeHref(slug, route.route, params, chart ? { chart } : {})}#trend`
}
