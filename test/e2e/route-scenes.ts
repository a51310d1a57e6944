/** Visits to a small app as its SDKs report them: one route under several names, and every outcome of a navigation. */
import type { Recipient } from './replay-capture.ts'
import { hexId, type SceneSpan, sendSpans } from './trace-scenes.ts'

type Attributes = Record<string, string | number | boolean>

let traces = 0
const nextTrace = () => (++traces).toString(16).padStart(32, 'a')
const userAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

/** The attributes of every span of a segment. */
const about = (name: string, release: string): Attributes => ({
  'sentry.segment.name': name,
  'sentry.segment.name.source': 'route',
  'sentry.release': release,
})

const browserSpans = (to: Recipient, spans: SceneSpan[], traceId = nextTrace(), beganAt = Date.now() - 120_000) =>
  sendSpans(to, { traceId, beganAt, sentAt: Date.now() - 60_000, isBrowser: true, spans })
const serverSpans = (to: Recipient, spans: SceneSpan[], traceId = nextTrace()) =>
  sendSpans(to, { traceId, beganAt: Date.now() - 120_000, spans })

/** `beganAt` is two minutes ago by default. */
export function loadPage(
  to: Recipient,
  name: string,
  release: string,
  vitals: Record<string, number>,
  beganAt?: number,
): Promise<void> {
  return loadPages(to, name, release, [vitals], beganAt)
}

/** Many visits in few requests, each with its vitals. */
export function loadPages(
  to: Recipient,
  name: string,
  release: string,
  visits: Record<string, number>[],
  beganAt?: number,
): Promise<void> {
  const loads = visits.map((vitals): SceneSpan => {
    const values = Object.entries(vitals).map(([vital, value]) => [`browser.web_vital.${vital}.value`, value] as const)
    const attributes = { ...about(name, release), 'user_agent.original': userAgent, ...Object.fromEntries(values) }
    const own = { id: 1, traceId: nextTrace(), isSegment: true, attributes }
    return { ...own, name, op: 'pageload', startMs: 0, durationMs: 900 }
  })
  return browserSpans(to, loads, undefined, beganAt)
}

type Navigation = {
  durationMs?: number
  type?: string
  finish?: string
  /** The URLs that the router fetched on click. */
  fetches?: string[]
  /** Happens after the first one is sent, in an envelope of its own, as SDKs do after five seconds. */
  meanwhile?: () => Promise<void>
}

export async function navigate(
  to: Recipient,
  name: string,
  release: string,
  navigation: Navigation = {},
): Promise<void> {
  const { durationMs = 80, type = 'router.push', finish = 'idleTimeout', fetches = [], meanwhile } = navigation
  const traceId = nextTrace()
  const attributes = {
    ...about(name, release),
    'user_agent.original': userAgent,
    'navigation.type': type,
    'sentry.idle_span_finish_reason': finish,
  }
  const requests = fetches.map(
    (url, index): SceneSpan => ({
      id: index + 2,
      parent: 1,
      segment: 1,
      name: 'GET shop.example.com',
      op: 'http.client',
      startMs: 1 + index,
      durationMs: 60,
      attributes: { ...about(name, release), 'url.full': url, 'http.response.body.size': 4_200 },
    }),
  )
  if (meanwhile) {
    await browserSpans(to, requests.splice(0, 1), traceId)
    await meanwhile()
  }
  const segment = { id: 1, name, op: 'navigation', startMs: 0, durationMs, isSegment: true, attributes }
  await browserSpans(to, [...requests, segment], traceId)
}

type Request = {
  traceId?: string
  method?: string
  status?: number
  headers?: Attributes
  children?: SceneSpan[]
  url?: string
}

/** What Next reports for a page behind a proxy: the request, its unnamed duplicate, and the proxy. */
export function request(to: Recipient, route: string, release: string, asked: Request = {}): Promise<void> {
  const { method = 'GET', status = 200, headers = {}, children = [], url = '/', traceId } = asked
  const own = {
    'sentry.release': release,
    'http.request.method': method,
    'url.full': `https://shop.example.com${url}`,
    ...headers,
  }
  const double = { ...own, 'sentry.segment.name.source': 'custom', 'next.bubble': true }
  const spans: SceneSpan[] = [
    { id: 8, name: 'middleware GET', op: 'middleware', startMs: 0, durationMs: 3, isSegment: true, attributes: own },
    { id: 9, name: method, op: 'http.server', startMs: 0, durationMs: 40, isSegment: true, attributes: double },
    ...children.map(child => ({
      ...child,
      parent: 10,
      segment: 10,
      attributes: { ...about(`${method} ${route}`, release), ...child.attributes },
    })),
    {
      id: 10,
      name: `${method} ${route}`,
      op: 'http.server',
      startMs: 0,
      durationMs: 45,
      isSegment: true,
      isFailed: status >= 500,
      attributes: {
        ...own,
        ...about(`${method} ${route}`, release),
        'http.route': route,
        'http.response.status_code': status,
      },
    },
  ]
  return serverSpans(to, spans, traceId)
}

/** A wrapped server action has a segment of its own under the request that called it. */
export function callAction(to: Recipient, route: string, release: string, name: string): Promise<void> {
  const headers = { 'http.request.header.next-action': `["${hexId(7).repeat(2)}"]` }
  const action: SceneSpan = {
    id: 30,
    name,
    startMs: 4,
    durationMs: 20,
    isSegment: true,
    attributes: { 'sentry.origin': 'auto.function.nextjs.server_action' },
  }
  return request(to, route, release, { method: 'POST', status: 500, headers, children: [action] })
}

export const queries = (count: number): SceneSpan[] =>
  Array.from({ length: count }, (_, index) => ({
    id: 100 + index,
    name: `SELECT url FROM item_image WHERE item_id = ${index}`,
    op: 'db',
    startMs: 2 + index,
    durationMs: 1,
  }))
