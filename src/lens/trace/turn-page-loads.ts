import type { ParentOf, TraceSpan } from './trace-span.ts'

/**
 * A page that was rendered for this visit carries the server's span in its head, and the browser's page load names that as its
 * parent, though it was the page load that asked for the page. The tree shows who asked whom: the server's request is hung under
 * the browser's. Where several page loads name one server span (a page kept in a cache), nobody asked for it, and all stays.
 */
export function turnPageLoads(byId: ReadonlyMap<string, TraceSpan>): ParentOf {
  const turned = new Map<string, string>()
  const served = Map.groupBy([...byId.values()].filter(isPageLoad), load => segmentAbove(load, byId)?.id ?? '')
  for (const [segmentId, loads] of served) {
    const segment = byId.get(segmentId)
    const [load] = loads
    if (!segment || !load || loads.length > 1 || segment.place === 'browser') continue
    const request = requestOf(load, byId)
    for (const sibling of byId.values()) if (isSameRequest(sibling, segment)) turned.set(sibling.id, request.id)
    turned.set(load.id, segment.parentId)
  }
  return span => turned.get(span.id) ?? span.parentId
}

const isPageLoad = (span: TraceSpan): boolean => span.op === 'pageload' && span.place === 'browser'

/** The trace's head may hold any span of the request. */
function segmentAbove(load: TraceSpan, byId: ReadonlyMap<string, TraceSpan>): TraceSpan | null {
  const above = byId.get(load.parentId)
  if (!above || above.place === 'browser') return null
  return above.isSegment ? above : (byId.get(above.segmentId) ?? null)
}

function requestOf(load: TraceSpan, byId: ReadonlyMap<string, TraceSpan>): TraceSpan {
  for (const span of byId.values()) {
    if (span.parentId !== load.id) continue
    if (span.op === 'browser.request' || (span.op === 'browser' && span.name === 'request')) return span
  }
  return load
}

/** One request leaves up to three segments: middleware, a nameless one, and the route's. */
function isSameRequest(span: TraceSpan, segment: TraceSpan): boolean {
  if (span.id === segment.id) return true
  return (
    span.isSegment &&
    span.place !== 'browser' &&
    span.parentId === segment.parentId &&
    span.path !== '' &&
    span.path === segment.path
  )
}
