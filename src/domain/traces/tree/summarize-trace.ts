import { rateVital, type VitalName, type VitalRating, vitalBounds } from '#react/route-sample.ts'
import { endOf, type TraceNode, type TraceSpan } from './trace-span.ts'

export type TraceSummary = {
  /** The longest root that is a page view or request, else the longest root. Below a parent that was not received, its spans are roots. */
  main: TraceNode | null
  sides: ('browser' | 'edge' | 'server')[]
  /** Time with at least one request being served. */
  serverUs: number
  queryCount: number
  queryUs: number
  failedCount: number
}

export function summarizeTrace(roots: readonly TraceNode[]): TraceSummary {
  const spans = new Map<string, TraceSpan>()
  const waiting = [...roots]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === 'span' && node.span) spans.set(node.id, node.span)
    waiting.push(...node.children)
  }
  const all = [...spans.values()]
  const queries = all.filter(({ op }) => op === 'db' || op.startsWith('db.'))
  return {
    main: mainOf(roots),
    sides: (['browser', 'edge', 'server'] as const).filter(side => all.some(span => span.side === side)),
    serverUs: covered(all.filter(span => span.isSegment && span.side === 'server')),
    queryCount: queries.length,
    queryUs: queries.reduce((sum, { durationUs }) => sum + durationUs, 0),
    failedCount: all.filter(span => span.isFailed).length,
  }
}

function mainOf(roots: readonly TraceNode[]): TraceNode | null {
  let best: TraceNode | null = null
  for (const root of roots.flatMap(each => (each.kind === 'missing' ? each.children : each))) {
    if (root.kind === 'gap' || root.kind === 'repeat') continue
    if (!best || rank(root) > rank(best) || (rank(root) === rank(best) && root.durationUs > best.durationUs))
      best = root
  }
  return best
}

const rank = ({ span }: TraceNode): number => (span?.isSegment ? 2 : span ? 1 : 0)

/** Total time; overlaps count once. */
function covered(spans: readonly TraceSpan[]): number {
  let sum = 0
  let reached = 0
  for (const span of spans.toSorted((a, b) => a.startUs - b.startUs)) {
    sum += Math.max(0, endOf(span) - Math.max(reached, span.startUs))
    reached = Math.max(reached, endOf(span))
  }
  return sum
}

/** SDKs name outgoing requests and files by host alone (`GET localhost`), so that all requests of a page would look the same. */
type OutgoingRequest = { name: string; method: string; url: string }

/**
 * Method and path, with the host if it is not the app's own. Null if the span has a better name or no URL. Without the query, which is
 * in the span's details.
 */
export function nameRequest({ name, method, url }: OutgoingRequest, ownHost: string): string | null {
  const address = splitAddress(url)
  const [verb = '', ...rest] = name.split(' ')
  // `GET /items/{id}` is a template, which is better than one URL.
  if (address === null || rest.join(' ').startsWith('/')) return null
  const shownVerb = method || (/^[A-Z]{3,8}$/.test(verb) ? verb : '')
  const shown = address.host === ownHost ? address.path : `${address.host}${address.path}`
  return shownVerb === '' ? shown : `${shownVerb} ${shown}`
}

/** The app's own host: that of the first segment, else the only requested one. */
export function findOwnHost(segmentUrls: readonly string[], requestUrls: readonly string[]): string {
  const began = segmentUrls.map(url => splitAddress(url)?.host).find(host => host !== undefined)
  if (began !== undefined) return began
  const [only, ...others] = new Set(requestUrls.flatMap(url => splitAddress(url)?.host ?? []))
  return others.length === 0 ? (only ?? '') : ''
}

/** Null for a relative URL. */
function splitAddress(url: string): { host: string; path: string } | null {
  const found = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)([^?#]*)/i.exec(url)
  return found ? { host: (found[1] ?? '').toLowerCase(), path: found[2] || '/' } : null
}

/** A web vital and its time on the timeline; null for CLS, which is a sum. */
export type VitalMark = { name: VitalName; label: string; value: number; rating: VitalRating; atUs: number | null }

type Measured = { id: string; vitals: ReadonlyMap<string, number> }

/**
 * From page views and from spans that SDKs send for single vitals. Loading vitals count from the start of the page, INP from its
 * span. Only the first value of each vital is marked.
 */
export function vitalMarks(
  spans: readonly TraceSpan[],
  measured: readonly Measured[],
  shifts: ReadonlyMap<string, number>,
): VitalMark[] {
  const byId = new Map(spans.map(span => [span.id, span]))
  const marks = new Map<VitalName, VitalMark>()
  for (const { id, vitals } of measured) {
    const span = byId.get(id)
    if (!span) continue
    for (const [name, value] of vitals) {
      if (!isVital(name) || marks.has(name)) continue
      const atUs = momentOf(name, value, span, shifts.get(span.clock) ?? 0)
      marks.set(name, { name, label: vitalBounds[name].label, value, rating: rateVital(name, value), atUs })
    }
  }
  return Object.keys(vitalBounds).flatMap(name => marks.get(name as VitalName) ?? [])
}

const isVital = (name: string): name is VitalName => Object.hasOwn(vitalBounds, name)

function momentOf(name: VitalName, value: number, span: TraceSpan, shiftUs: number): number | null {
  if (name === 'cls') return null
  return name === 'inp' ? endOf(span) + shiftUs : span.startUs + value * 1_000 + shiftUs
}
