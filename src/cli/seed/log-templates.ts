import type { LogRow } from '#store/telemetry/rows.ts'
import { serverSdk, slots } from './browsers.ts'
import { routes } from './routes.ts'
import { processTemplate, type TemplateContext } from './templates.ts'

type LogTemplate = { key: string; row: LogRow }

/** Most frequent first; the engine picks by index. */
const lines = [
  { level: 'info', template: 'request finished for %s', body: `request finished for user-${slots.user}` },
  { level: 'debug', template: 'cache hit for item %s', body: `cache hit for item ${slots.item}` },
  { level: 'info', template: 'cart of %s saved', body: `cart of user-${slots.user} saved` },
  { level: 'warn', template: 'slow query, item %s', body: `slow query, item ${slots.item}` },
  { level: 'error', template: 'stock service refused item %s', body: `stock service refused item ${slots.item}` },
] as const
export const logLineCount = lines.length

export function logTemplates(context: TemplateContext): LogTemplate[] {
  return routes.flatMap((route, routeIndex) =>
    lines.map(({ level, template, body }, lineIndex) => {
      const text = (value: string) => ({ value, type: 'string' })
      const entry = {
        timestamp: slots.second + 0.25,
        trace_id: slots.traceId,
        span_id: '000000000000000a',
        level,
        body,
        attributes: {
          'sentry.message.template': text(template),
          'sentry.message.parameter.0': text(`user-${slots.user}`),
          'sentry.release': text(slots.release),
          'sentry.environment': text(slots.environment),
          'sentry.sdk.name': text(serverSdk.name),
          'sentry.sdk.version': text(serverSdk.version),
          'server.address': text('web-1'),
          'http.route': text(route.pattern),
          'user.id': text(`user-${slots.user}`),
          'queue.depth': { value: 3 + lineIndex, type: 'integer' },
        },
      }
      const header = { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' }
      const [row] = processTemplate({ header, payload: { version: 2, items: [entry] } }, '', context).rows.logs ?? []
      if (!row) throw new Error(`The template ${template} produced no log.`)
      return { key: `${routeIndex}.${lineIndex}`, row }
    }),
  )
}
