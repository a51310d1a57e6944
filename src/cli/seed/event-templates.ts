import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import { browsers, serverSdk, slots } from './browsers.ts'
import { type ShopError, shopErrors, staleTab } from './errors.ts'
import { type Route, routes } from './routes.ts'
import { tailErrors } from './tail-errors.ts'
import { processTemplate, type TemplateContext } from './templates.ts'

export type EventTemplate = { key: string; row: EventRow; groupedEvents: GroupedEvent[] }

/** One template per route, error of that route, and browser. The engine picks one by its key. */
export function eventTemplates(context: TemplateContext): EventTemplate[] {
  return routes.flatMap((route, routeIndex) =>
    route.errors.flatMap((name, errorIndex) =>
      eachBrowser(`${routeIndex}.${errorIndex}`, route, shopErrors[name], context),
    ),
  )
}

/** One template per release and browser: tabs that still run the release miss its files once the next one is deployed. */
export function skewTemplates(releases: readonly string[], context: TemplateContext): EventTemplate[] {
  const [route] = routes
  if (!route) return []
  return releases.flatMap((release, index) => eachBrowser(`skew.${index}`, route, staleTab, context, release))
}

/** One template per rare error and browser. A rare error occurs on one route only. */
export function tailTemplates(count: number, context: TemplateContext): EventTemplate[] {
  return tailErrors(count).flatMap((error, index) => {
    const route = routes[index % routes.length]
    return route ? eachBrowser(`tail.${index}`, route, error, context) : []
  })
}

/** With fewer issues than the shop has, the others borrow the errors of the first. Each key keeps a template, so no event is missing. */
export function limitIssues(templates: readonly EventTemplate[], issues: number): EventTemplate[] {
  const hashes = [...new Set(templates.map(({ row }) => row.group_hash))].slice(0, issues)
  const kept = templates.filter(({ row }) => hashes.includes(row.group_hash))
  return templates.map((template, index) => {
    const other = kept[index % kept.length]
    return kept.includes(template) || !other ? template : { ...other, key: template.key }
  })
}

function eachBrowser(
  key: string,
  route: Route,
  error: ShopError,
  context: TemplateContext,
  release: string = slots.release,
): EventTemplate[] {
  return browsers.map(({ userAgent, currency }, browserIndex) => {
    const tags = { plan: route.serverMs > 100 ? 'business' : 'standard', 'cart.currency': currency }
    const payload = { ...eventOf(route, error, userAgent), release, tags }
    const { rows, groupedEvents } = processTemplate({ header: { type: 'event' }, payload }, userAgent, context)
    const [row] = rows.events ?? []
    if (!row) throw new Error(`The template ${error.type}: ${error.value} produced no event.`)
    return { key: `${key}.${browserIndex}`, row, groupedEvents }
  })
}

function eventOf(route: Route, error: ShopError, userAgent: string): object {
  const isBrowser = error.side === 'browser'
  const url = `https://shop.example.com${route.path}`
  return {
    event_id: slots.eventId,
    timestamp: slots.second + 0.868,
    level: error.handled ? 'warning' : 'error',
    platform: isBrowser ? 'javascript' : 'node',
    transaction: isBrowser ? route.pattern : `${route.method} ${route.pattern}`,
    environment: slots.environment,
    ...(isBrowser ? {} : { server_name: 'web-1', modules: { next: '16.4.6', react: '19.3.1', pg: '8.23.1' } }),
    exception: { values: [exceptionOf(error)] },
    breadcrumbs: breadcrumbsOf(route, url),
    user: { id: `user-${slots.user}`, email: `user-${slots.user}@example.com`, ip_address: '203.0.113.7' },
    request: { url, method: route.method, headers: { 'User-Agent': userAgent, Referer: 'https://shop.example.com/' } },
    contexts: {
      trace: { trace_id: slots.traceId, span_id: '000000000000000a', op: isBrowser ? 'pageload' : 'http.server' },
      ...error.contexts,
      ...(isBrowser
        ? {}
        : { runtime: { name: 'node', version: 'v24.21.0' }, os: { name: 'Debian', version: '12.11' } }),
    },
    sdk: { ...serverSdk, integrations: ['InboundFilters', 'LinkedErrors', 'BrowserTracing'] },
  }
}

function exceptionOf(error: ShopError): object {
  const isBrowser = error.side === 'browser'
  const caller = isBrowser
    ? {
        filename: 'node_modules/react-dom/cjs/react-dom-client.production.js',
        function: 'performWorkUntilDeadline',
        lineno: 14_190,
        colno: 13,
      }
    : {
        filename: 'node_modules/next/dist/server/base-server.js',
        function: 'NextServer.renderToResponse',
        lineno: 812,
        colno: 27,
      }
  const own = error.at.map(([file, fn, line, text]) => ({
    filename: isBrowser ? `app:///_next/${file}` : `/srv/shop/${file}`,
    module: file.replace(/\.tsx?$/, ''),
    function: fn,
    lineno: line,
    colno: text.length - text.trimStart().length + 9,
    in_app: true,
    pre_context: ['', `export async function ${fn.split('.').at(-1)}() {`],
    context_line: text,
    post_context: ['}', ''],
  }))
  const mechanism = {
    type: error.mechanism ?? (isBrowser ? 'auto.browser.global_handlers.onerror' : 'auto.function.nextjs'),
    handled: error.handled ?? false,
  }
  return {
    type: error.type,
    value: error.value,
    mechanism,
    stacktrace: { frames: [{ ...caller, in_app: false }, ...own] },
  }
}

function breadcrumbsOf(route: Route, url: string): object[] {
  return [
    { timestamp: slots.second + 0.104, category: 'navigation', data: { from: '/', to: route.path } },
    {
      timestamp: slots.second + 0.391,
      category: 'fetch',
      type: 'http',
      data: { method: 'GET', url, status_code: 200 },
    },
    { timestamp: slots.second + 0.655, category: 'ui.click', message: 'main > form > button[type="submit"]' },
    {
      timestamp: slots.second + 0.812,
      category: 'console',
      level: 'warning',
      message: `slow response for user-${slots.user}`,
    },
  ]
}
