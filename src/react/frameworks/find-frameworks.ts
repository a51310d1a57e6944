import { textOf } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { routeOf } from '../route.ts'
import { astro } from './astro.ts'
import type { ControlFlow, DataRequest, Framework, RouteSyntax } from './framework.ts'
import { generalLibraries, noFiles } from './library-files.ts'
import { nextApp } from './next-app.ts'
import { nextPages } from './next-pages.ts'
import { reactRouter } from './react-router.ts'
import { remix } from './remix.ts'
import { redactedByReact } from './server-react.ts'
import { stars } from './stars.ts'
import { tanstackStart } from './tanstack-start.ts'
import { thrownStatus } from './thrown-response.ts'

const frameworks: readonly Framework[] = [nextApp, nextPages, reactRouter, remix, tanstackStart, astro]

const bySdk = Map.groupBy(
  frameworks.flatMap(framework => framework.sdks.map(sdk => ({ sdk, framework }))),
  ({ sdk }) => sdk,
)

/** Those whose app may have sent the event: of its SDK, or all where the SDK is that of React, Node or anything else. */
function frameworksOf(event: StoredEvent): readonly Framework[] {
  return bySdk.get(textOf(event.sdk?.name))?.map(({ framework }) => framework) ?? frameworks
}

/** Of SDKs that say nothing about the framework: a star means the same in all that have one. */
const generalRoutes: RouteSyntax = { routeSegments: stars }
/** `<Routes>` of React Router in an app with its own server rendering. */
const routesElement: RouteSyntax = { routeSegments: stars, leavesOutStar: true }

/** How routes are spelled in what an SDK sends. The SDK of React says in the origin of its spans which router it has instrumented. */
export function routeSyntaxOf(sdk: string, origin = ''): RouteSyntax {
  const known = bySdk.get(sdk)?.[0]?.framework
  if (known !== undefined) return known
  if (origin.includes('tanstack')) return tanstackStart
  return origin.includes('reactrouter_') ? routesElement : generalRoutes
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
const sdksWithActions = frameworks.flatMap(({ hasActions, sdks }) => (hasActions ? sdks : []))

/** Which requests call an action or a server function, as `requestKind` has it, in SQL on `spans`. */
export const isActionSql = `(mapContains(attributes, 'http.request.header.next-action')
  OR ${functionPaths.map(({ source }) => `match(path(url), ${quote(source)})`).join(' OR ')}
  OR (method = 'POST' AND sdk_name IN (${sdksWithActions.map(quote).join(', ')})))`

/** Which spans name one. */
export const namesActionSql = `(${actionSpans
  .map(({ op, origin }) => (op === undefined ? `origin = ${quote(origin ?? '')}` : `op = ${quote(op)}`))
  .join(' OR ')})`

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
export function isRedacted(event: StoredEvent, value: string): boolean {
  return (
    redactedByReact.some(row => row.matches(value)) ||
    frameworksOf(event).some(({ redacted }) => redacted.some(row => row.matches(value)))
  )
}

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
  return known === undefined ? { means: 'unknown', by: '' } : { means: known.unfetched.means, by: known.id }
}

/** A sentence about why it is unknown what the router did. */
export function whyUnknown(by: string): string {
  const known = frameworks.find(({ id, unfetched }) => id === by && unfetched.means === 'unknown')
  return known?.unfetched.why ?? 'The SDK doesn’t say which requests are those of the router.'
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
  return bySdk.get(textOf(sdk?.name))?.[0]?.framework.serverWork ?? 'a render on the server'
}

/** What an app of this SDK adds so that errors of its server arrive. */
export function serverErrorAdviceOf(sdk: string): string {
  const known = bySdk.get(sdk)?.find(({ framework }) => framework.serverErrorAdvice !== undefined)
  return known?.framework.serverErrorAdvice ?? 'report what onError of the render gets'
}
