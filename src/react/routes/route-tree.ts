/**
 * Routes as a tree of their segments, to find the one that matches a path. The more specific one wins at every segment, as in all
 * routers: a name, then a parameter, then the rest of the path.
 */
type Node = {
  named: Map<string, Node>
  parameter: Node | null
  /** A route that ends here. */
  route: string | null
  /** A route whose last segment takes the rest of the path, of at least one segment. */
  rest: string | null
}

export type RouteTree = { find(path: string): string | null }

const newNode = (): Node => ({ named: new Map(), parameter: null, route: null, rest: null })

const restSegment = /^\[\.\.\.[^\]]*\]$/
const optionalRest = /^\[\[\.\.\.[^\]]*\]\]$/
const optional = /^\[\[[^\]]*\]\]$/
const parameter = /^\[[^\]]*\]\]?$/

/** Whether any path of the folder belongs to the route: it says little of which page was shown. */
export const isCatchAll = (route: string): boolean => /\/\[?\[\.\.\.[^\]/]*\]\]?$/.test(route)
/** Whether any path at all belongs to it. */
export const isRootCatchAll = (route: string): boolean => isCatchAll(route) && route.lastIndexOf('/') === 0
export const isDynamic = (route: string): boolean => route.includes('[')

const valueSegment = /^\d+$|^(?=.*\d)[\da-f-]{8,}$|\d{4}|[%@:=,;~+ ]|^.{41,}$/i
/** Whether a path without parameters looks like that of one visit: with an id, a number, or a name that is not a folder's. */
export const isOfOneVisit = (route: string): boolean =>
  !isDynamic(route) && segmentsOf(route).some(segment => valueSegment.test(segment))

export function routeTree(routes: Iterable<string>): RouteTree {
  const root = newNode()
  for (const route of routes) add(root, segmentsOf(route), route)
  return { find: path => findIn(root, segmentsOf(path), 0) }
}

/** Longer ones are not kept: every batch would build them again. */
export const isShort = (route: string): boolean => segmentsOf(route).length <= 20

export const matchesRoute = (route: string, path: string): boolean => routeTree([route]).find(path) !== null

const segmentsOf = (path: string): string[] => path.split('/').filter(segment => segment !== '')

/** Each doubles the branches of a route. No app has more; what comes after is taken as if it had to be there. */
const maxOptional = 3

function add(node: Node, [segment, ...others]: readonly string[], route: string, optionals = 0): void {
  if (segment === undefined) node.route ??= route
  else if (restSegment.test(segment)) node.rest ??= route
  else if (optionalRest.test(segment)) {
    node.route ??= route
    node.rest ??= route
  } else {
    const isOptional = optionals < maxOptional && optional.test(segment)
    if (isOptional) add(node, others, route, optionals + 1)
    add(childOf(node, segment), others, route, isOptional ? optionals + 1 : optionals)
  }
}

function childOf(node: Node, segment: string): Node {
  if (parameter.test(segment)) return (node.parameter ??= newNode())
  const known = node.named.get(segment)
  if (known !== undefined) return known
  const child = newNode()
  node.named.set(segment, child)
  return child
}

function findIn(node: Node, segments: readonly string[], at: number): string | null {
  const segment = segments[at]
  if (segment === undefined) return node.route
  const named = node.named.get(segment)
  return (
    (named && findIn(named, segments, at + 1)) ??
    (node.parameter && findIn(node.parameter, segments, at + 1)) ??
    node.rest
  )
}
