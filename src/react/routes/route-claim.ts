/** Reads what a span or an error says about its page, without the rest of the trace. */
import { routeSyntaxOf } from '../frameworks/find-frameworks.ts'
import type { RouteSyntax } from '../frameworks/framework.ts'
import { pathOf } from '../path-of.ts'
import { isCatchAll, isDynamic, isRootCatchAll, matchesRoute } from './route-tree.ts'

export type RouteClaim = {
  /** A page view, a request to a server, the call of a server function, or what happened on a page: an error, an interaction. */
  kind: 'view' | 'request' | 'call' | 'page'
  /** Of the page in the address bar; '' if unknown. */
  path: string
  /** The route as it was sent. */
  raw: string
  /** The route in the common spelling; '' without one. */
  route: string
  /**
   * `sure`: the route is right. `doubtful`: it is a path that may have no route. `partial`: another route that matches the path is
   * better. `none`: the span names no route.
   */
  certainty: 'sure' | 'doubtful' | 'partial' | 'none'
}

type ClaimingSpan = {
  is_segment: boolean
  segment_source: string
  op: string
  origin: string
  sdk_name: string
  route_raw: string
  route: string
  url: string
}

/** Null for a span that belongs to no page by itself, or whose SDK names whole routes. */
export function claimOfSpan(span: ClaimingSpan): RouteClaim | null {
  const kind = kindOf(span)
  // Single spans of SDK 10 do not name their SDK.
  if (kind === null || !(isFromScript(span.sdk_name) || (span.sdk_name === '' && kind === 'page'))) return null
  const syntax = routeSyntaxOf(span.sdk_name, span.origin)
  // Functions still need the page on which they are called.
  if (syntax.hasWholeRoutes && (syntax.functionPath === undefined || kind === 'page')) return null
  const sentPath = pathOf(span.url)
  if (kind === 'request' && syntax.functionPath?.test(sentPath))
    return { kind: 'call', path: '', raw: '', route: '', certainty: 'none' }
  const path = syntax.pagePath?.(sentPath) ?? sentPath
  const claim = { kind, path, raw: span.route_raw, route: span.route }
  if (syntax.hasWholeRoutes)
    return kind === 'view' && span.route !== '' && span.segment_source !== 'url'
      ? { ...claim, certainty: 'sure' }
      : null
  if (kind === 'page') return pageClaim(claim)
  if (span.segment_source === 'url' || span.route === '') return { ...claim, route: '', certainty: 'none' }
  if (kind === 'request' && isCatchAll(span.route)) return { ...claim, certainty: 'partial' }
  return { ...claim, ...checkPath(claim, syntax) }
}

type ClaimingError = { sdk_name: string; route_raw: string; route: string; url: string }

/** Null for an error whose SDK names whole routes, or that says nothing about a page. */
export function claimOfError({ sdk_name, route_raw, route, url }: ClaimingError): RouteClaim | null {
  if (!isFromScript(sdk_name)) return null
  const syntax = routeSyntaxOf(sdk_name)
  const sentPath = pathOf(url)
  if (syntax.hasWholeRoutes || (sentPath === '' && route === '')) return null
  const raw = route_raw.replace(/^[A-Z]+ /, '')
  if (syntax.functionPath?.test(sentPath)) return { kind: 'call', path: '', raw: '', route: '', certainty: 'none' }
  return pageClaim({ kind: 'page', path: syntax.pagePath?.(sentPath) ?? sentPath, raw, route })
}

/** A name without parameters may be a route or the path of one visit. */
function pageClaim(claim: Omit<RouteClaim, 'certainty'>): RouteClaim {
  const { route } = claim
  const path = claim.path || (isDynamic(route) ? '' : route)
  if (isRootCatchAll(route)) return { ...claim, path, certainty: 'partial' }
  if (isDynamic(route) && (path === '' || matchesRoute(route, path))) return { ...claim, path, certainty: 'sure' }
  return { ...claim, path, certainty: 'none' }
}

function checkPath(
  { kind, path, route }: Omit<RouteClaim, 'certainty'>,
  syntax: RouteSyntax,
): Pick<RouteClaim, 'route' | 'certainty'> {
  if (path === '' || matchesRoute(route, path)) {
    const isDoubtful = kind === 'view' && syntax.namesMissingPages === true && !isDynamic(route)
    return { route, certainty: isDoubtful ? 'doubtful' : 'sure' }
  }
  const withStar = `${route === '/' ? '' : route}/[...]`
  if (kind === 'view' && syntax.leavesOutStar && matchesRoute(withStar, path))
    return { route: withStar, certainty: 'sure' }
  return { route, certainty: 'partial' }
}

function kindOf({ is_segment, op }: ClaimingSpan): RouteClaim['kind'] | null {
  if (op.startsWith('ui.interaction') || op.startsWith('ui.webvital')) return 'page'
  if (!is_segment) return null
  if (op === 'http.server') return 'request'
  return op === 'pageload' || op === 'navigation' ? 'view' : null
}

const isFromScript = (sdk: string): boolean => sdk.startsWith('sentry.javascript.')
