import { browsers } from './browsers.ts'
import { routes } from './routes.ts'
import type { SpanTemplate } from './trace-templates.ts'

/** How many spans an average visit has, by how often each route is visited (`rank` in visit-sql.ts). */
export function spansPerVisit(templates: readonly SpanTemplate[]): number {
  const weigh = (index: number): number => Math.log((index + 2) / (index + 1)) / Math.log(routes.length + 1)
  const sum = templates.reduce((total, { key }) => total + weigh(Number(key.split('.')[0])), 0)
  return sum / browsers.length
}
