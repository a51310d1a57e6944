import type { SpanRow } from '#store/telemetry/rows.ts'
import { browsers, serverSdk, slots } from './browsers.ts'
import { type Route, routes } from './routes.ts'
import { processTemplate, type TemplateContext } from './templates.ts'

export type SpanTemplate = { key: string; row: SpanRow }
type Step = {
  id: number
  parent: number
  name: string
  op: string
  fromMs: number
  forMs: number
  attributes?: Record<string, string | number>
}

/** The spans of one visit per route and browser. Ids are small numbers that the engine turns into ids of the visit. */
export function spanTemplates(context: TemplateContext): SpanTemplate[] {
  return routes.flatMap((route, routeIndex) =>
    browsers.flatMap(({ userAgent }, browserIndex) => {
      const isCold = isColdFor(routeIndex, browserIndex)
      const requests = route.isPage && !isCold ? [serverSteps(route), prefetchSteps(route)] : [serverSteps(route)]
      const server = requests.flatMap(steps => spansOf(steps, route, 'server', context, ''))
      const pages = route.isPage ? [pageSteps(route), navigationSteps(route, isCold)] : []
      const browser = pages.flatMap(steps => spansOf(steps, route, 'browser', context, userAgent))
      return [...browser, ...server].map(row => ({ key: `${routeIndex}.${browserIndex}`, row }))
    }),
  )
}

/** Links of every other route are seldom in view; on the small screen of a phone (1) it is the others. */
const isColdFor = (routeIndex: number, browserIndex: number): boolean => (routeIndex % 2 === 1) !== (browserIndex === 1)

/** Browser spans: 1 is the page load and the parent of the server's span 10. */
function pageSteps({ pattern, path, serverMs }: Route): Step[] {
  const origin = 'https://shop.example.com'
  return [
    {
      id: 1,
      parent: 0,
      name: pattern,
      op: 'pageload',
      fromMs: 0,
      forMs: serverMs + 900,
      attributes: {
        'url.full': `${origin}${path}`,
        'browser.web_vital.ttfb.value': serverMs + 60,
        'browser.web_vital.fcp.value': serverMs + 310,
        'browser.web_vital.lcp.value': serverMs + 640,
        'browser.web_vital.inp.value': 40 + serverMs / 2,
        'browser.web_vital.cls.value': (serverMs % 100) / 400,
      },
    },
    { id: 2, parent: 1, name: origin, op: 'browser.DNS', fromMs: 1, forMs: 12 },
    { id: 3, parent: 1, name: origin, op: 'browser.request', fromMs: 14, forMs: serverMs + 40 },
    {
      id: 4,
      parent: 1,
      name: '/_next/static/chunks/main.js',
      op: 'resource.script',
      fromMs: serverMs + 70,
      forMs: 120,
      attributes: { 'http.response_transfer_size': 48_213 },
    },
    { id: 5, parent: 1, name: '/_next/static/css/app.css', op: 'resource.css', fromMs: serverMs + 72, forMs: 60 },
    {
      id: 6,
      parent: 1,
      name: 'GET /api/cart',
      op: 'http.client',
      fromMs: serverMs + 320,
      forMs: 90,
      attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
    },
    { id: 7, parent: 1, name: 'Main UI thread blocked', op: 'ui.long-task', fromMs: serverMs + 430, forMs: 84 },
  ]
}

/** The request of the prefetch that a navigation uses, as Next.js sends it when a link comes into view. */
function prefetchSteps({ pattern, path, serverMs }: Route): Step[] {
  return [
    {
      id: 20,
      parent: 1,
      name: `GET ${pattern}`,
      op: 'http.server',
      fromMs: serverMs + 950,
      forMs: serverMs / 2,
      attributes: {
        'http.route': pattern,
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'url.full': `https://shop.example.com${path}?_rsc=1a2b3`,
        'http.request.header.next-router-prefetch': '1',
        'http.request.header.rsc': '1',
        'next.span_type': 'BaseServer.handleRequest',
      },
    },
  ]
}

/** A client-side navigation to the route. A cold one fetches at the click; the others were prefetched. */
function navigationSteps({ pattern, path, serverMs }: Route, isCold: boolean): Step[] {
  const url = `https://shop.example.com${path}`
  const navigation: Step = {
    id: 30,
    parent: 0,
    name: pattern,
    op: 'navigation',
    fromMs: 20_000,
    forMs: isCold ? serverMs + 90 : 45,
    attributes: { 'url.full': url, 'navigation.type': 'router.push', 'browser.web_vital.inp.value': 64 },
  }
  const request: Step = {
    id: 31,
    parent: 30,
    name: 'GET shop.example.com',
    op: 'http.client',
    fromMs: 20_004,
    forMs: serverMs + 30,
    attributes: {
      'url.full': `${url}?_rsc=1a2b3`,
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.response.body.size': 9_200,
    },
  }
  return isCold ? [navigation, request] : [navigation]
}

/** Server spans: 10 is the request. */
function serverSteps({ pattern, path, method, isPage, serverMs, queries }: Route): Step[] {
  const request: Step = {
    id: 10,
    parent: isPage ? 1 : 0,
    name: `${method} ${pattern}`,
    op: 'http.server',
    fromMs: isPage ? 20 : 0,
    forMs: serverMs,
    attributes: {
      'http.route': pattern,
      'http.request.method': method,
      'http.response.status_code': 200,
      'url.full': `https://shop.example.com${path}`,
      'next.span_type': 'BaseServer.handleRequest',
    },
  }
  const inner = (
    id: number,
    op: string,
    name: string,
    from: number,
    share: number,
    attributes: Step['attributes'] = {},
  ): Step => ({
    id,
    parent: 10,
    name,
    op,
    fromMs: request.fromMs + serverMs * from,
    forMs: serverMs * share,
    attributes,
  })
  return [
    request,
    inner(11, 'middleware.nextjs', `middleware ${method}`, 0.01, 0.05),
    inner(
      12,
      'function.nextjs',
      isPage ? `Page Server Component (${pattern})` : `executing api route (app) ${pattern}`,
      0.08,
      0.88,
      { 'next.route': pattern },
    ),
    inner(13, 'cache.get', 'session:get', 0.09, 0.03, { 'cache.hit': 1, 'cache.key': 'session' }),
    ...queries.map((text, index) =>
      inner(14 + index, 'db', text, 0.15 + index * 0.25, 0.2, {
        'db.system.name': 'postgresql',
        'db.operation.name': text.split(' ')[0] ?? '',
        'server.address': 'db.internal',
      }),
    ),
    inner(18, 'http.client', 'GET http://stock.internal/v1/levels', 0.66, 0.22, {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'server.address': 'stock.internal',
    }),
  ]
}

function spansOf(
  steps: Step[],
  route: Route,
  side: 'browser' | 'server',
  context: TemplateContext,
  userAgent: string,
): SpanRow[] {
  const segment = steps[0]
  if (!segment) return []
  const shared = {
    'sentry.segment.id': hexId(segment.id),
    'sentry.segment.name': segment.name,
    'sentry.segment.name.source': 'route',
    'sentry.sdk.name': side === 'browser' ? 'sentry.javascript.nextjs' : serverSdk.name,
    'sentry.sdk.version': serverSdk.version,
    'sentry.release': slots.release,
    'sentry.environment': slots.environment,
    'user.id': `user-${slots.user}`,
    ...(side === 'browser'
      ? { 'user_agent.original': userAgent }
      : { 'server.address': 'web-1', 'http.route': route.pattern }),
  }
  const items = steps.map(step => ({
    name: step.name,
    trace_id: slots.traceId,
    span_id: hexId(step.id),
    ...(step.parent === 0 ? {} : { parent_span_id: hexId(step.parent) }),
    start_timestamp: slots.second + step.fromMs / 1e3,
    end_timestamp: slots.second + (step.fromMs + step.forMs) / 1e3,
    is_segment: step === segment,
    status: 'ok',
    attributes: typed({ ...shared, 'sentry.op': step.op, 'sentry.origin': `auto.${step.op}`, ...step.attributes }),
  }))
  const header = { type: 'span', item_count: items.length, content_type: 'application/vnd.sentry.items.span.v2+json' }
  return (
    processTemplate(
      { header, payload: { version: 2, ...(side === 'browser' ? { ingest_settings: fromBrowser } : {}), items } },
      userAgent,
      context,
    ).rows.spans ?? []
  )
}

/** What the browser SDK sends, so that the server infers address and user agent. */
const fromBrowser = { infer_ip: 'auto', infer_user_agent: 'auto' }

const hexId = (id: number): string => id.toString(16).padStart(16, '0')

const typed = (attributes: Record<string, string | number>): object =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      { value, type: typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'integer' : 'double' },
    ]),
  )
