import type { StoredEvent } from '#protocol/event.ts'

/** An error event, and the fields of it that the tables read most. */
export type Thrown = {
  event: StoredEvent
  type: string
  value: string
  /** The status of a thrown `Response`, or of what a router throws in its place; null where the SDK does not send it. */
  status: number | null
}

type Row = {
  /** In a sentence: what the framework does, so that this means what the table says. */
  why: string
}
/** A segment of a route that only this framework spells so. */
export type RouteSegment = Row & {
  pattern: RegExp
  /** In the spelling of Next.js, with `$1`; '' if it is no part of the URL. */
  spelled: string
}
/** A name of spans that differs with each component, although they do the same. */
type SpanName = Row & { pattern: RegExp; spelled: string }
export type ControlFlow = Row & { kind: 'signal' | 'not-found'; matches: (thrown: Thrown) => boolean }
export type RedactedError = Row & { matches: (value: string) => boolean }
/** The server's error for a file of a build that it does not have, with the path as the first group. */
export type MissingFile = Row & { pattern: RegExp }
/** By the file and the name of each function on the stack, the innermost last. */
export type EchoedError = Row & { matches: (frames: readonly EchoFrame[], page: string) => boolean }
type EchoFrame = { file: string; name: string }

/** A file of a build that has no code of the app. */
export type BundleFile = Row & { pattern: RegExp }
/** A file of a build without a source map that leads to the sources. */
export type UnmappedFile = BundleFile & { advice: string }
/** How the router asks for the content of a page, on the wire. */
export type DataRequest = Row & { kind: 'rsc' | 'data'; matches: (url: string) => boolean }
/**
 * A navigation without such a request. `prefetched`: the router had the page from a prefetch, or for Back from its cache. `nothing`: the
 * page needed no data, or the router had it. `unknown`: the SDK doesn't report enough, for the reason in `why`, which pages show.
 */
export type Unfetched = Row & { means: 'prefetched' | 'nothing' | 'unknown' }

export type ActionSpan = {
  op?: string
  origin?: string
  /** The name of the function in that of the span, as the first group; the whole name without one. */
  name?: RegExp
  /** The attribute that says where the function is. */
  fileKey?: string
}

export type RouteSyntax = {
  /** How its routes differ from `/items/[id]`, `/items/:id` and `/items/{id}`, which all frameworks may send. */
  routeSegments: readonly RouteSegment[]
  spanNames?: readonly SpanName[]
  /** Its server sends routes without the first slash: `items/:id`. */
  hasBareRoutes?: true
  /** Its SDK names the whole route with everything that it sends. Nothing has to be looked up in the trace. */
  hasWholeRoutes?: true
  /** The browser's SDK names a page by its path even if no route matches it. */
  namesMissingPages?: true
  /** Part of the origin of the spans with which the SDK of React reports its router. */
  routerOrigin?: string
  /** The browser's SDK names no star at the end of a route: `/docs` on `/docs/a/b`. */
  leavesOutStar?: true
  /** The page of a request for its data: `/items/1` of `/items/1.data`. */
  pagePath?: (path: string) => string
  /** Paths of server functions, with their name or id as the first group. They belong to the page that calls them. */
  functionPath?: RegExp
  /** The mechanism of the error of a server function that answers without an error status. */
  failedFunction?: string
  /** A POST to a page is an action. */
  hasActions?: true
  /** A request with this header calls one, and names it by its id. */
  actionHeader?: string
  /** What a request for the content of a page has, as its attributes name it. */
  contentRequest?: { marks: readonly { key: string; value?: string }[] }
  /** Spans of the server that name an action or a server function, below its request. */
  actionSpan?: ActionSpan
  /** Spans of the server whose names are whole routes, whatever that of the request says. */
  wholeRouteOps?: ReadonlySet<string>
}

/**
 * What Hydrant knows about a framework. The rest of the product asks these tables and never checks a framework's name, so that another
 * framework is one file here, its recorded requests, and a row in the docs.
 */
export type Framework = RouteSyntax & {
  id: string
  name: string
  /** SDKs that only apps of this framework use. Without one, an app is recognized by nothing, and every table applies. */
  sdks: readonly string[]
  /** Thrown on purpose: redirects, and pages or data that do not exist. */
  controlFlow: readonly ControlFlow[]
  /** The messages that the browser gets for an error whose details stay on the server. */
  redacted: readonly RedactedError[]
  missingFiles?: readonly MissingFile[]
  /** How the browser throws a server's error again, with its message, and a stack that has nothing of the app. */
  echoed?: readonly EchoedError[]
  /** The files of its builds that hold only libraries, whatever SDKs say of them. */
  libraryFiles?: readonly BundleFile[]
  /** Why the lines of a file are not those of the sources. */
  unmappedFiles?: readonly UnmappedFile[]
  dataRequests: readonly DataRequest[]
  unfetched: Unfetched
  /** It repeats a data request only because one has failed. Without this, it is a retry only after a failure that was seen. */
  repeatsAreRetries?: true
  /** Its error when the files of a page took too long, with the route as the first group. The router then loads the whole page. */
  routeLoadError?: RegExp
  /** The mechanisms of errors on its servers, which may run as `javascript` on an edge, begin so. */
  serverMechanism?: string
  /** Its middleware runs at the edge, whatever serves the pages. */
  edgeMiddleware?: { sdk: RegExp; ops: readonly string[] }
  /** Where an event says its route, if not in `transaction`: a context and its key. */
  routeContext?: readonly [context: string, key: string]
  /** The header of a prefetch that asks for a part of a page. Only the part that matches counts, or the whole page. */
  partialPrefetch?: { header: string; counts: RegExp }
  /** The server work that a redacted error stands for, in the framework's words. */
  serverWork: string
  /** What an app adds so that the server's errors are reported, after "Initialize the SDK on the server too". */
  serverErrorAdvice?: string
}
