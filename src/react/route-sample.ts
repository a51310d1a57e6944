import { shareInterval } from '#lib/confidence.ts'
import { clipText } from '#lib/text.ts'
import { asksForContent, hasActionHeader, routeSyntaxOf, unfetchedOf } from './frameworks/find-frameworks.ts'
import { pathOf } from './path-of.ts'

/** The fields of a span that route measurements need. */
export type RouteSpan = {
  project_id: number
  timestamp: number
  duration_us: number
  retention_days: number
  weight: number
  /** The share of traces that the SDK sends. */
  client_sample_rate: number
  trace_id: string
  segment_id: string
  is_segment: boolean
  op: string
  origin: string
  sdk_name: string
  status: string
  environment: string
  release: string
  route: string
  method: string
  status_code: number
  url: string
  is_prefetch: boolean
  is_sdk_transport: boolean
  os_name: string
  device: string
  attributes: Readonly<Record<string, string>>
  numbers: Readonly<Record<string, number>>
}

/** The dimensions and the weight of a sample. `timestamp` in microseconds, as in spans. */
export type RouteSource = Pick<
  RouteSpan,
  'project_id' | 'timestamp' | 'retention_days' | 'weight' | 'route' | 'release' | 'environment' | 'os_name' | 'device'
>

/** How many spans one stands for: the SDK has sent only a sample of them. */
export const extrapolatedWeight = ({
  weight,
  client_sample_rate: rate,
}: Pick<RouteSpan, 'weight' | 'client_sample_rate'>): number => (rate > 0 && rate < 1 ? weight / rate : weight)
/** Their sum in SQL. A rate of zero is in rows of versions that did not see that 32 bits have none smaller. */
export const expectedSpans = 'sum(if(client_sample_rate > 0, weight / client_sample_rate, weight))'

/** `value` in milliseconds, bytes or as a score; null if only the count matters. */
export type RouteSample = { measure: string; detail: string; value: number | null; isFailed: boolean }

/** After this time the Pages Router of Next.js gives up and loads the whole page. */
const routeLoadLimitMs = 3_800

/** The thresholds of web.dev: up to `good`, above `poor`. In milliseconds, except CLS. */
export const vitalBounds = {
  ttfb: { label: 'TTFB', good: 800, poor: 1_800 },
  fcp: { label: 'FCP', good: 1_800, poor: 3_000 },
  lcp: { label: 'LCP', good: 2_500, poor: 4_000 },
  inp: { label: 'INP', good: 200, poor: 500 },
  cls: { label: 'CLS', good: 0.1, poor: 0.25 },
} as const

/** The bounds of measures that are rated, for their histograms. */
export const ratedBounds: Readonly<Record<string, readonly number[]>> = Object.fromEntries(
  Object.entries(vitalBounds).map(([name, { good, poor }]) => [name, [good, poor]]),
)

const vitals = Object.keys(vitalBounds).map(name => ({ name, key: `browser.web_vital.${name}.value` }))
const none: readonly RouteSample[] = []

/** The samples of one span. Prefetches and the SDK's own requests have none. */
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
  const { status_code: code, status } = span
  const isFailed = code >= 500 || (code === 0 && status === 'error')
  const request = { ...timed('request', requestKind(span), span), isFailed }
  const word = statusWord(code)
  return word === '' ? [request] : [request, counted('status', word)]
}

function requestKind({ attributes, method, url, sdk_name, origin }: RouteSpan): string {
  if (hasActionHeader(attributes)) return 'action'
  const { functionPath, hasActions } = routeSyntaxOf(sdk_name, origin)
  if (functionPath?.test(pathOf(url)) || (hasActions && method === 'POST')) return 'action'
  if (asksForContent(attributes)) return 'rsc'
  return isDocumentRequest(attributes) ? 'document' : ''
}

/** SDK 10 writes headers with underscores, and 11 as lists. A client that sends no `Sec-Fetch-Dest` asks for HTML first. */
function isDocumentRequest(attributes: RouteSpan['attributes']): boolean {
  const dest = attributes['http.request.header.sec-fetch-dest'] ?? attributes['http.request.header.sec_fetch_dest']
  if (dest !== undefined) return /^(?:\[")?(?:document|iframe|frame)\b/.test(dest)
  return /^(?:\[")?text\/html\b/.test(attributes['http.request.header.accept'] ?? '')
}

function statusWord(code: number): string {
  if (code === 401 || code === 403 || code === 404) return String(code)
  if (code >= 500) return '5xx'
  return code >= 300 && code < 400 && code !== 304 ? 'redirect' : ''
}

function viewSamples(span: RouteSpan): RouteSample[] {
  const isSlow = span.duration_us > routeLoadLimitMs * 1e3
  if (span.op === 'pageload')
    return [
      timed('page_load', '', span),
      ...vitalSamples(span),
      ...(isSlow ? [counted('slow_load', slowPageLoad)] : []),
    ]
  const samples = [timed('navigation', navigationKind(span), span), ...vitalSamples(span)]
  if (isSlow) samples.push(counted('slow_load', ''))
  if (span.attributes['sentry.idle_span_finish_reason'] === 'cancelled') samples.push(counted('cancelled', ''))
  return samples
}

/** The detail of slow page loads; that of slow navigations is empty. */
export const slowPageLoad = 'pageload'

/**
 * The state of a navigation without a data request. If the router prefetches pages, it has those back and forward in its cache, and may
 * have to fetch for a push. Otherwise `nothing`, or `unknown` and the framework that doesn't say.
 */
export function navigationKind({ attributes, sdk_name }: Pick<RouteSpan, 'attributes' | 'sdk_name'>): string {
  const { means, by } = unfetchedOf(sdk_name)
  if (means === 'unknown') return `${unknownKind} ${by}`
  if (means === 'nothing') return 'nothing'
  return /traverse|back|forward|popstate/.test(attributes['navigation.type'] ?? '') ? 'back' : 'push'
}

const unknownKind = 'unknown'
/** The framework that does not say whether the router fetched; null for any other kind. */
export const unknownBy = (kind: string): string | null =>
  kind.startsWith(unknownKind) ? kind.slice(unknownKind.length + 1) : null

/** Navigations for which the browser measures vitals again without loading the page: by script, or from its own cache. */
const withoutLoad: ReadonlySet<string> = new Set(['soft-navigation', 'back-forward-cache'])

function vitalSamples(span: RouteSpan): RouteSample[] {
  const isSoft = span.op === 'navigation' || withoutLoad.has(span.attributes['browser.navigation.type'] ?? '')
  const samples: RouteSample[] = []
  for (const { name, key } of vitals) {
    const value = span.numbers[key]
    if (value !== undefined && value >= 0)
      samples.push({ measure: name, detail: isSoft ? 'soft' : 'hard', value, isFailed: false })
  }
  return samples
}

export type VitalName = keyof typeof vitalBounds
export type VitalRating = 'good' | 'middle' | 'poor'

export function rateVital(name: VitalName, value: number): VitalRating {
  const { good, poor } = vitalBounds[name]
  if (value <= good) return 'good'
  return value > poor ? 'poor' : 'middle'
}

/** A page whose server takes longer than the first byte may take cannot be good. */
export const rateServerTime = (ms: number): VitalRating => rateVital('ttfb', ms)

/**
 * Shares of views or requests that fail. Every app has some failures. Users notice one in a hundred, and one in twenty is an
 * outage for some of them.
 */
export const errorRateBounds = { good: 0.01, poor: 0.05 } as const
const z = 1.96
/** One or two failures are no rate, however few visits there were. */
const minFailures = 3

/** Rates the share as far as it is sure. */
export function rateErrors(rate: number, visits: number): VitalRating {
  if (rate * visits < minFailures) return 'good'
  const { low } = shareInterval(Math.min(1, rate) * visits, visits, z)
  if (low <= errorRateBounds.good) return 'good'
  return low > errorRateBounds.poor ? 'poor' : 'middle'
}

/** Why the SDK ended a page load or navigation. These spans have no natural end: the SDK waits until the page is idle. */
const finishReasons = new Map([
  ['idleTimeout', 'Ended after 1 s without activity.'],
  ['finalTimeout', 'Cut off at 30 s, the SDK’s limit. The page was still busy.'],
  ['heartbeatFailed', 'Ended because a child span did not finish within 15 s.'],
  ['cancelled', 'Canceled by another navigation.'],
  ['documentHidden', 'Ended because the tab was hidden.'],
  ['externalFinish', 'Ended by the app.'],
  ['reportPageLoaded', 'Ended by the app with reportPageLoaded.'],
  ['interactionInterrupted', 'Interrupted by another interaction.'],
])

/** Returns '' without a reason. A hidden tab has its own cancellation reason. */
export function explainIdleFinish(reason: string, cancellation: string): string {
  if (reason === '' && cancellation === '') return ''
  if (/hidden/i.test(cancellation)) return finishReasons.get('documentHidden') ?? ''
  return finishReasons.get(reason) ?? `Ended by “${clipText(reason, 60)}”.`
}
