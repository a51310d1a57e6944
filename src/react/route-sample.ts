/** What one span says about the route it belongs to. Requests that nobody waits for, and those of the SDK, say nothing here. */

/** The fields of a stored span that routes are measured by. */
export type RouteSpan = {
  project_id: number
  timestamp: number
  duration_us: number
  retention_days: number
  weight: number
  trace_id: string
  segment_id: string
  is_segment: boolean
  op: string
  status: string
  environment: string
  release: string
  route: string
  status_code: number
  url: string
  is_prefetch: boolean
  is_sdk_transport: boolean
  os_name: string
  device: string
  attributes: Readonly<Record<string, string>>
  numbers: Readonly<Record<string, number>>
}

/** What a sum is sorted by: when, of what, with how much weight. `timestamp` in microseconds, as in spans. */
export type RouteSource = Pick<
  RouteSpan,
  'project_id' | 'timestamp' | 'retention_days' | 'weight' | 'route' | 'release' | 'environment' | 'os_name' | 'device'
>

/** `value` in milliseconds, or bytes, or a score; null where only the number of them matters. */
export type RouteSample = { measure: string; detail: string; value: number | null; isFailed: boolean }

/** Milliseconds after which Next's Pages Router gives a route up and loads the page whole. */
const routeLoadLimitMs = 3_800

/** Bounds of the web vitals as the browsers' makers set them: up to `good`, and above `poor`. Milliseconds, but for CLS. */
export const vitalBounds = {
  ttfb: { label: 'TTFB', good: 800, poor: 1_800 },
  fcp: { label: 'FCP', good: 1_800, poor: 3_000 },
  lcp: { label: 'LCP', good: 2_500, poor: 4_000 },
  inp: { label: 'INP', good: 200, poor: 500 },
  cls: { label: 'CLS', good: 0.1, poor: 0.25 },
} as const

const vitals = Object.keys(vitalBounds).map(name => ({ name, key: `browser.web_vital.${name}.value` }))
const none: readonly RouteSample[] = []

export function routeSamples(span: RouteSpan): readonly RouteSample[] {
  if (span.route === '' || span.is_sdk_transport || span.is_prefetch) return none
  const { op } = span
  if (op === 'http.server') return span.is_segment ? requestSamples(span) : none
  if (op === 'pageload' || op === 'navigation') return span.is_segment ? viewSamples(span) : none
  if (op.startsWith('ui.')) return op.startsWith('ui.long') ? [timed('long_frame', '', span)] : vitalSamples(span)
  return none
}

const timed = (measure: string, detail: string, span: RouteSpan): RouteSample => ({
  measure,
  detail,
  value: span.duration_us / 1e3,
  isFailed: span.status === 'error',
})
const counted = (measure: string, detail: string): RouteSample => ({ measure, detail, value: null, isFailed: false })

function requestSamples(span: RouteSpan): RouteSample[] {
  const { status_code: code, status, attributes } = span
  const isFailed = code >= 500 || (code === 0 && status === 'error')
  const request = { ...timed('request', requestKind(attributes), span), isFailed }
  const word = statusWord(code)
  return word === '' ? [request] : [request, counted('status', word)]
}

function requestKind(attributes: RouteSpan['attributes']): string {
  if (attributes['http.request.header.next-action'] !== undefined) return 'action'
  return attributes['next.rsc'] === 'true' || attributes['http.request.header.rsc'] !== undefined ? 'rsc' : ''
}

function statusWord(code: number): string {
  if (code === 401 || code === 403 || code === 404) return String(code)
  if (code >= 500) return '5xx'
  return code >= 300 && code < 400 && code !== 304 ? 'redirect' : ''
}

function viewSamples(span: RouteSpan): RouteSample[] {
  if (span.op === 'pageload') return [timed('page_load', '', span), ...vitalSamples(span)]
  const samples = [timed('navigation', navigationKind(span), span), ...vitalSamples(span)]
  if (span.duration_us > routeLoadLimitMs * 1e3) samples.push(counted('slow_load', ''))
  if (span.attributes['sentry.idle_span_finish_reason'] === 'cancelled') samples.push(counted('cancelled', ''))
  return samples
}

/** Back and forward are answered from what the router keeps; a push has to get its page from somewhere. */
export const navigationKind = ({ attributes }: Pick<RouteSpan, 'attributes'>): 'back' | 'push' =>
  /traverse|back|forward|popstate/.test(attributes['navigation.type'] ?? '') ? 'back' : 'push'

function vitalSamples(span: RouteSpan): RouteSample[] {
  const isSoft = span.op === 'navigation' || span.attributes['browser.navigation.type'] === 'soft-navigation'
  const samples: RouteSample[] = []
  for (const { name, key } of vitals) {
    const value = span.numbers[key]
    if (value !== undefined && value >= 0)
      samples.push({ measure: name, detail: isSoft ? 'soft' : 'hard', value, isFailed: false })
  }
  return samples
}

export type VitalName = keyof typeof vitalBounds
export type Verdict = 'good' | 'middle' | 'poor'

export function rateVital(name: VitalName, value: number): Verdict {
  const { good, poor } = vitalBounds[name]
  if (value <= good) return 'good'
  return value > poor ? 'poor' : 'middle'
}

/** Why a page load or navigation ended where it did. These spans have no end of their own: the SDK waits until nothing happens. */
const words = new Map([
  ['idleTimeout', 'Ended once nothing had happened for 1 s.'],
  ['finalTimeout', 'Cut off at 30 s, the longest that the SDK waits: the page was still busy.'],
  ['heartbeatFailed', 'Given up because a child span stayed silent for 15 s.'],
  ['cancelled', 'Cancelled: another navigation began before this one was done.'],
  ['documentHidden', 'Ended because the tab was hidden.'],
  ['externalFinish', 'Ended by the app itself.'],
  ['reportPageLoaded', 'Ended by the app, which reported the page as loaded.'],
  ['interactionInterrupted', 'Interrupted by another interaction.'],
])

/** '' where the span says nothing about its end. A hidden tab cancels too, and says so in a word of its own. */
export function idleFinish(reason: string, cancellation: string): string {
  if (reason === '' && cancellation === '') return ''
  if (/hidden/i.test(cancellation)) return words.get('documentHidden') ?? ''
  return words.get(reason) ?? `Ended by “${reason.slice(0, 60)}”.`
}
