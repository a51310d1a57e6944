/**
 * Clocks of browsers and servers differ by up to seconds. A server cannot start before it was called, nor after its caller had the
 * response: if a trace contradicts that, one clock is shifted against the other. The server's clock is trusted. Without a contradiction
 * nothing is shifted.
 */
import { endOf, type LinkedSpan, type ParentOf, type TraceSpan } from './trace-span.ts'

type Call = { parent: TraceSpan; child: TraceSpan }
type Bounds = { lowUs: number; highUs: number }

const toleranceUs = 2_000 // browsers round their clock, to a millisecond or two

/** The shift of each clock in microseconds; without clocks that need none. */
export function correctClocks(byId: ReadonlyMap<string, TraceSpan>, parentOf: ParentOf): Map<string, number> {
  const calls: Call[] = []
  for (const child of byId.values()) {
    const parent = byId.get(parentOf(child))
    if (parent && parent.clock !== child.clock && !child.isUnclocked && !parent.isUnclocked)
      calls.push({ parent, child })
  }
  const shifts = new Map([[referenceClock(byId), 0]])
  for (let settled = true; settled; ) {
    const found = nextClock(calls, shifts)
    settled = found !== null
    if (found) shifts.set(found.clock, shiftOf(found.clock, found.calls, shifts))
  }
  return new Map([...shifts].filter(([, shiftUs]) => shiftUs !== 0))
}

const trust = { server: 4, edge: 2, browser: 0 } as const
const trustOf = ({ side, parentId }: TraceSpan): number => trust[side] + (parentId === '' ? 1 : 0)

function referenceClock(byId: ReadonlyMap<string, TraceSpan>): string {
  let best: TraceSpan | null = null
  for (const span of byId.values()) {
    const more = best ? trustOf(span) - trustOf(best) : 1
    if (!best || more > 0 || (more === 0 && span.startUs < best.startUs)) best = span
  }
  return best?.clock ?? ''
}

/** A clock with calls to or from a settled one, and all calls between it and settled clocks. */
function nextClock(calls: Call[], shifts: ReadonlyMap<string, number>): { clock: string; calls: Call[] } | null {
  const open = calls.find(({ parent, child }) => shifts.has(parent.clock) !== shifts.has(child.clock))
  if (!open) return null
  const clock = shifts.has(open.parent.clock) ? open.child.clock : open.parent.clock
  const between = calls.filter(
    ({ parent, child }) =>
      (parent.clock === clock && shifts.has(child.clock)) || (child.clock === clock && shifts.has(parent.clock)),
  )
  return { clock, calls: between }
}

function shiftOf(clock: string, calls: Call[], shifts: ReadonlyMap<string, number>): number {
  const began = intersect(calls.map(call => bounds(call, clock, shifts, beganWithin)))
  if (began.lowUs - toleranceUs <= 0 && began.highUs + toleranceUs >= 0) return 0
  // Assumes the same network time in both directions, like NTP.
  const whole = intersect(calls.filter(fitsWithin).map(call => bounds(call, clock, shifts, ranWithin)))
  const best = Number.isFinite(whole.lowUs) && whole.lowUs <= whole.highUs ? whole : began
  // If calls contradict each other or are not awaited, only one bound is certain: nothing starts before it was called.
  if (best.lowUs <= best.highUs && Number.isFinite(best.highUs - best.lowUs))
    return Math.round((best.lowUs + best.highUs) / 2)
  return Math.round(Number.isFinite(best.lowUs) ? best.lowUs : best.highUs)
}

/** How far a child may be shifted against its parent. A queued job may start much later. */
const beganWithin = ({ parent, child }: Call): Bounds => ({
  lowUs: parent.startUs - child.startUs,
  highUs: isAwaited(parent) ? endOf(parent) - child.startUs : Number.POSITIVE_INFINITY,
})
const ranWithin = ({ parent, child }: Call): Bounds => ({
  lowUs: parent.startUs - child.startUs,
  highUs: endOf(parent) - endOf(child),
})
const fitsWithin = ({ parent, child }: Call): boolean => isAwaited(parent) && child.durationUs <= parent.durationUs
const isAwaited = ({ op }: TraceSpan): boolean => op === 'http.client' || op === 'browser.request' || op === 'browser'

function bounds(call: Call, clock: string, shifts: ReadonlyMap<string, number>, rule: (call: Call) => Bounds): Bounds {
  const { lowUs, highUs } = rule(call)
  if (call.child.clock === clock) {
    const base = shifts.get(call.parent.clock) ?? 0
    return { lowUs: lowUs + base, highUs: highUs + base }
  }
  const base = shifts.get(call.child.clock) ?? 0
  return { lowUs: base - highUs, highUs: base - lowUs }
}

function intersect(all: Bounds[]): Bounds {
  return {
    lowUs: all.reduce((low, { lowUs }) => Math.max(low, lowUs), Number.NEGATIVE_INFINITY),
    highUs: all.reduce((high, { highUs }) => Math.min(high, highUs), Number.POSITIVE_INFINITY),
  }
}

/**
 * A server-rendered page carries the server's span in its head, and the browser's page load names that as its parent, although the page
 * load caused the request. This reverses it: the server's request goes under the browser's. If several page loads name one server span,
 * the page was cached and nothing changes.
 */
export function reparentPageLoads(byId: ReadonlyMap<string, LinkedSpan>): ParentOf {
  const turned = new Map<string, string>()
  const served = Map.groupBy([...byId.values()].filter(isPageLoad), load => segmentAbove(load, byId)?.id ?? '')
  for (const [segmentId, loads] of served) {
    const segment = byId.get(segmentId)
    const [load] = loads
    if (!segment || !load || loads.length > 1 || segment.side === 'browser') continue
    const request = requestOf(load, byId)
    for (const sibling of byId.values()) if (isSameRequest(sibling, segment)) turned.set(sibling.id, request.id)
    turned.set(load.id, segment.parentId)
  }
  return span => turned.get(span.id) ?? span.parentId
}

const isPageLoad = (span: LinkedSpan): boolean => span.op === 'pageload' && span.side === 'browser'

/** The page may name any span of the request. */
function segmentAbove(load: LinkedSpan, byId: ReadonlyMap<string, LinkedSpan>): LinkedSpan | null {
  const above = byId.get(load.parentId)
  if (!above || above.side === 'browser') return null
  return above.isSegment ? above : (byId.get(above.segmentId) ?? null)
}

function requestOf(load: LinkedSpan, byId: ReadonlyMap<string, LinkedSpan>): LinkedSpan {
  for (const span of byId.values()) {
    if (span.parentId !== load.id) continue
    if (span.op === 'browser.request' || (span.op === 'browser' && span.name === 'request')) return span
  }
  return load
}

/** One request has up to three segments: middleware, a nameless one, and the route's. */
function isSameRequest(span: LinkedSpan, segment: LinkedSpan): boolean {
  if (span.id === segment.id) return true
  return (
    span.isSegment &&
    span.side !== 'browser' &&
    span.parentId === segment.parentId &&
    span.path !== '' &&
    span.path === segment.path
  )
}
