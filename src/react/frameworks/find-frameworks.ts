import { textOf } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { routeOf } from '../route.ts'
import type { ControlFlow, DataRequest, Framework, RouteSyntax } from './framework.ts'
import { generalLibraries, noFiles } from './library-files.ts'
import { frameworks } from './list.ts'
import { plainSsr } from './plain-ssr.ts'
import { redactedByReact } from './server-react.ts'
import { thrownStatus } from './thrown-response.ts'
import { unknown } from './unknown.ts'

const bySdk = Map.groupBy(
  frameworks.flatMap(framework => framework.sdks.map(sdk => ({ sdk, framework }))),
  ({ sdk }) => sdk,
)

/** Those whose app may have sent the event: of its SDK, or all where the SDK is that of React, Node or anything else. */
function frameworksOf(event: StoredEvent): readonly Framework[] {
  return bySdk.get(textOf(event.sdk?.name))?.map(({ framework }) => framework) ?? frameworks
}

/** What requests of frameworks without an SDK look like. Nothing else has such paths. */
const withoutSdk = frameworks.filter(({ sdks }) => sdks.length === 0)
const pathsWithoutSdk = {
  pagePath: (path: string): string => withoutSdk.reduce((shown, { pagePath }) => pagePath?.(shown) ?? shown, path),
  functionPath: new RegExp(withoutSdk.flatMap(({ functionPath }) => functionPath?.source ?? []).join('|') || '(?!)'),
}
/** Of SDKs that say nothing about the framework: patterns mean the same in all of those. */
const generalRoutes: RouteSyntax = { routeSegments: plainSsr.routeSegments, ...pathsWithoutSdk }
const byRouter = frameworks.flatMap(framework => {
  const { routerOrigin, sdks } = framework
  if (routerOrigin === undefined) return []
  return [{ routerOrigin, syntax: sdks.length > 0 ? framework : { ...framework, ...pathsWithoutSdk } }]
})

/** How routes are spelled in what an SDK sends. The SDK of React says in the origin of its spans which router it has instrumented. */
export function routeSyntaxOf(sdk: string, origin = ''): RouteSyntax {
  const known = bySdk.get(sdk)?.[0]?.framework
  if (known !== undefined) return known
  return byRouter.find(({ routerOrigin }) => origin.includes(routerOrigin))?.syntax ?? generalRoutes
}

/** Every way to read a route of which only the text is known: single spans of SDK 10 do not name their SDK. */
export const spellingsOf = (raw: string): string[] => [
  ...new Set([generalRoutes, ...frameworks].map(syntax => routeOf(raw, syntax))),
]

/** The name of a span without what differs between spans that do the same. */
export const spanNameOf = ({ spanNames = [] }: RouteSyntax, name: string): string =>
  spanNames.find(({ pattern }) => pattern.test(name))?.spelled ?? name

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const actionSpans = frameworks.flatMap(({ actionSpan }) => (actionSpan === undefined ? [] : [actionSpan]))
const functionPaths = frameworks.flatMap(({ functionPath }) => functionPath ?? [])
/** By the mechanism of their error. */
export const failedFunctions = frameworks.flatMap(({ failedFunction }) => failedFunction ?? [])
const sdksWithActions = frameworks.flatMap(({ hasActions, sdks }) => (hasActions ? sdks : []))

const headerKey = (header: string): string => `http.request.header.${header}`
const actionHeaders = frameworks.flatMap(({ actionHeader }) =>
  actionHeader === undefined ? [] : [headerKey(actionHeader)],
)

type Attributes = Readonly<Record<string, string>>

/** Whether a header of the request names an action. */
export const hasActionHeader = (attributes: Attributes): boolean =>
  actionHeaders.some(key => attributes[key] !== undefined)

/** The id of the action that it names, '' without one. */
export const actionHeaderSql = `coalesce(${actionHeaders
  .map(key => `nullIf(replaceRegexpAll(attributes[${quote(key)}], '[^0-9a-f]', ''), '')`)
  .join(', ')}, '')`

/** Which requests call an action or a server function, as `requestKind` has it, in SQL on `spans`. */
export const isActionSql = `(${actionHeaders.map(key => `mapContains(attributes, ${quote(key)})`).join(' OR ')}
  OR ${functionPaths.map(({ source }) => `match(path(url), ${quote(source)})`).join(' OR ')}
  OR (method = 'POST' AND sdk_name IN (${sdksWithActions.map(quote).join(', ')})))`

const contentMarks = frameworks.flatMap(({ contentRequest }) => contentRequest?.marks ?? [])

/** Whether the request is one of a router for the content of a page. */
export const asksForContent = (attributes: Attributes): boolean =>
  contentMarks.some(({ key, value }) =>
    value === undefined ? attributes[key] !== undefined : attributes[key] === value,
  )

const partialPrefetches = frameworks
  .flatMap(({ partialPrefetch }) => partialPrefetch ?? [])
  .map(each => ({ ...each, key: headerKey(each.header) }))

/** Whether a prefetch asks for a part of a page that does not count. */
export const isUncountedPart = (attributes: Attributes): boolean =>
  partialPrefetches.some(({ key, counts }) => attributes[key] !== undefined && !counts.test(attributes[key]))

const serverMechanisms = frameworks.flatMap(({ serverMechanism }) => serverMechanism ?? [])

/** Whether a framework has reported the error on a server, which may be an edge. */
export const isServerMechanism = (mechanism: string): boolean =>
  serverMechanisms.some(each => mechanism.startsWith(each))
export const isServerMechanismSql = `(${serverMechanisms.map(each => `startsWith(mechanism, ${quote(each)})`).join(' OR ')})`

const edgeMiddlewares = frameworks.flatMap(({ edgeMiddleware }) => edgeMiddleware ?? [])

export const isEdgeMiddleware = (op: string, sdk: string): boolean =>
  edgeMiddlewares.some(({ ops, sdk: own }) => ops.includes(op) && own.test(sdk))
export const isEdgeMiddlewareSql = `(${edgeMiddlewares
  .map(({ ops, sdk }) => `(op IN (${ops.map(quote).join(', ')}) AND match(sdk_name, ${quote(sdk.source)}))`)
  .join(' OR ')})`

const routeContexts = frameworks.flatMap(({ routeContext }) => (routeContext === undefined ? [] : [routeContext]))

/** The route of an event as it was sent, '' without one. */
export function sentRouteOf({ contexts, transaction = '' }: Pick<StoredEvent, 'contexts' | 'transaction'>): string {
  for (const [context, key] of routeContexts) {
    const route = textOf(contexts[context]?.[key])
    if (route !== '') return route
  }
  return transaction
}

/** Which spans name one. */
export const namesActionSql = `(${actionSpans
  .map(({ op, origin }) => (op === undefined ? `origin = ${quote(origin ?? '')}` : `op = ${quote(op)}`))
  .join(' OR ')})`

/** Whether a request to this path calls a server function. */
export const isFunctionPath = (path: string): boolean => functionPaths.some(each => each.test(path))

/** The name or the id of a server function in its path. */
export const functionIdSql = `coalesce(${functionPaths
  .map(({ source }) => `nullIf(extract(path(url), ${quote(source)}), '')`)
  .join(', ')}, '')`

/**
 * Which page views have a route if the app has one for them. In an app whose router the SDK of React has not instrumented, none has, so
 * a view without one says nothing about the page.
 */
export const namesRoutesSql = `NOT match(origin, '^auto[.](pageload|navigation)[.]browser$')`

/** Where such a span says that its function is. */
export const actionFileSql = `coalesce(${actionSpans
  .flatMap(({ fileKey }) => fileKey ?? [])
  .map(key => `nullIf(attributes[${quote(key)}], '')`)
  .join(', ')}, '')`

/** The name of an action in that of its span. */
export function actionNameOf({ op, origin, name }: { op: string; origin: string; name: string }): string {
  const span = actionSpans.find(each => (each.op === undefined ? each.origin === origin : each.op === op))
  return span?.name?.exec(name)?.[1] ?? name
}

/** Why a framework has thrown on purpose; null for an error. */
export function findControlFlow(event: StoredEvent, type: string, value: string): ControlFlow | null {
  const thrown = { event, type, value, status: thrownStatus(event) }
  for (const { controlFlow } of frameworksOf(event)) {
    const row = controlFlow.find(each => each.matches(thrown))
    if (row !== undefined) return row
  }
  return null
}

/** Whether the message stands for an error whose details stay on the server. */
export const isRedacted = (event: StoredEvent, value: string): boolean =>
  redactedByReact.some(row => row.matches(value)) ||
  frameworksOf(event).some(({ redacted }) => redacted.some(row => row.matches(value)))

/** The file of an older build that the server was asked for; null for any other error. */
export function missingFileOf(event: StoredEvent): string | null {
  const value = event.exception?.values.at(-1)?.value ?? ''
  if (event.platform === 'javascript' || value.length > maxFileChars) return null
  for (const { missingFiles = [] } of frameworksOf(event))
    for (const { pattern } of missingFiles) {
      const file = pattern.exec(value)?.[1]
      if (file !== undefined) return file
    }
  return null
}
const maxFileChars = 600

/** Whether the browser throws again what a server has thrown, which then counts for both. */
export function isEchoed(event: StoredEvent): boolean {
  const echoed = bySdk.get(textOf(event.sdk?.name))?.flatMap(({ framework }) => framework.echoed ?? []) ?? []
  if (echoed.length === 0) return false
  const frames = (event.exception?.values.at(-1)?.stacktrace?.frames ?? []).map(frame => ({
    file: textOf(frame.abs_path) || textOf(frame.filename),
    name: textOf(frame.function),
  }))
  const page = (event.request?.url ?? '').split(/[?#]/, 1)[0] ?? ''
  return echoed.some(row => row.matches(frames, page))
}

const libraryFiles = [...frameworks.flatMap(({ libraryFiles: own = [] }) => own), ...generalLibraries]
const unmappedFiles = frameworks.flatMap(({ unmappedFiles: own = [] }) => own)
const fileOf = ({ filename, abs_path: path }: Pick<Frame, 'filename' | 'abs_path'>): string =>
  textOf(filename) || textOf(path)

/** Whether a frame is in a file that has only libraries, although the SDK may say that it is the app's: it knows the files of no build. */
export function isInLibrary(frame: Pick<Frame, 'filename' | 'abs_path'>): boolean {
  const file = fileOf(frame)
  return libraryFiles.some(({ pattern }) => pattern.test(file))
}

/** Whether a frame has nothing of the app: it is in a library, or in no file at all. */
export const isForeignFrame = (frame: Pick<Frame, 'filename' | 'abs_path'>): boolean =>
  isInLibrary(frame) || noFiles.some(({ pattern }) => pattern.test(fileOf(frame)))

/** Why the lines are those of a bundle, in a file for which the build makes no useful source map; '' for any other file. */
export function unmappedAdvice(frame: Pick<Frame, 'filename' | 'abs_path'>): string {
  const file = fileOf(frame)
  return unmappedFiles.find(({ pattern }) => pattern.test(file))?.advice ?? ''
}

type FoundRequest = Pick<DataRequest, 'kind'> & Pick<Framework, 'repeatsAreRetries'>

/** The request of a router for the content of a page; null for any other. An SDK that any app may use can send those of all routers. */
export function findDataRequest(sdk: string, url: string): FoundRequest | null {
  const known = bySdk.get(sdk)?.map(({ framework }) => framework) ?? frameworks
  for (const { dataRequests, repeatsAreRetries } of known) {
    const found = dataRequests.find(({ matches }) => matches(url))
    if (found) return { kind: found.kind, ...(repeatsAreRetries && { repeatsAreRetries }) }
  }
  return null
}

/** Explains a navigation without a data request. `by` names the framework, or is empty. */
export function unfetchedOf(sdk: string): { means: Framework['unfetched']['means']; by: string } {
  const known = bySdk.get(sdk)?.[0]?.framework
  return { means: (known ?? unknown).unfetched.means, by: known?.id ?? '' }
}

/** A sentence about why it is unknown what the router did. */
export function whyUnknown(by: string): string {
  const known = frameworks.find(({ id, unfetched }) => id === by && unfetched.means === 'unknown')
  return (known ?? unknown).unfetched.why
}

/** The route whose files took too long, as the framework spells it; null for any other error. */
export function slowRouteOf(title: string): string | null {
  for (const { routeLoadError } of frameworks) {
    const route = routeLoadError?.exec(title)?.[1]
    if (route !== undefined) return route
  }
  return null
}

/** Names the work that failed on the server, for the title of a redacted error. */
export function serverWorkOf({ sdk }: StoredEvent): string {
  return (bySdk.get(textOf(sdk?.name))?.[0]?.framework ?? unknown).serverWork
}

/** What an app of this SDK adds so that errors of its server arrive. */
export function serverErrorAdviceOf(sdk: string): string {
  const known = bySdk.get(sdk)?.find(({ framework }) => framework.serverErrorAdvice !== undefined)
  return known?.framework.serverErrorAdvice ?? 'report what onError of the render gets'
}
