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
/** By the file and the name of each function on the stack, the innermost last. */
export type EchoedError = Row & { matches: (frames: readonly EchoFrame[], page: string) => boolean }
type EchoFrame = { file: string; name: string }

/** A file of a build that has no code of the app. */
export type BundleFile = Row & { pattern: RegExp }
/** A file of a build without a source map that leads to the sources. */
export type UnmappedFile = BundleFile & { advice: string }

export type RouteSyntax = {
  /** How its routes differ from `/items/[id]`, `/items/:id` and `/items/{id}`, which all frameworks may send. */
  routeSegments: readonly RouteSegment[]
  spanNames?: readonly SpanName[]
  /** Its server sends routes without the first slash: `items/:id`. */
  hasBareRoutes?: true
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
  /** How the browser throws a server's error again, with its message, and a stack that has nothing of the app. */
  echoed?: readonly EchoedError[]
  /** The files of its builds that hold only libraries, whatever SDKs say of them. */
  libraryFiles?: readonly BundleFile[]
  /** Why the lines of a file are not those of the sources. */
  unmappedFiles?: readonly UnmappedFile[]
  /** The server work that a redacted error stands for, in the framework's words. */
  serverWork: string
}
