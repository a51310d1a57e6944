import type { RouteFilter } from './route-filter.ts'
import { spanDays } from './route-spans.ts'
import type { RouteSummary } from './summarise-route.ts'

const hourMs = 3_600_000
const wanted = 1_000 // requests and page views tell what is usual as well as all of a month do

/** The newest stretch of a route's time that holds enough to learn from: of a busy route hours, of a quiet one days. */
export function newestExamples(filter: RouteFilter, { requests, pageLoads, navigations }: RouteSummary): RouteFilter {
  const seen = Math.max(1, requests.count, pageLoads + navigations)
  const most = Math.min(filter.rangeMs, spanDays * 24 * hourMs)
  const enough = Math.ceil((filter.rangeMs * wanted) / seen / hourMs) * hourMs
  return { ...filter, rangeMs: Math.min(most, Math.max(hourMs, enough)) }
}
