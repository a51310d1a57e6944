import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { ControlFlow, DataRequest, Framework, RouteSyntax } from './framework.ts'
import { nextApp } from './next-app.ts'
import { nextPages } from './next-pages.ts'
import { reactRouter } from './react-router.ts'
import { remix } from './remix.ts'
import { redactedByReact } from './server-react.ts'
import { stars } from './stars.ts'
import { tanstackStart } from './tanstack-start.ts'
import { thrownStatus } from './thrown-response.ts'

const frameworks: readonly Framework[] = [nextApp, nextPages, reactRouter, remix, tanstackStart]

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

/** How routes are spelled in what an SDK sends. The SDK of React says in the origin of its spans which router it has instrumented. */
export function routeSyntaxOf(sdk: string, origin = ''): RouteSyntax {
  const known = bySdk.get(sdk)?.[0]?.framework
  if (known !== undefined) return known
  return origin.includes('tanstack') ? tanstackStart : generalRoutes
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
