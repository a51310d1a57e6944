import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'

export type Refusal = { title: string; text: string }
type Status = { status: number | null; refusal: Refusal | null }

const key = Symbol.for('hydrant.responseStatus')
const holder = globalThis as { [key]?: AsyncLocalStorage<Status> }

/** One per process, although Next may load several copies of this module. */
function storage(): AsyncLocalStorage<Status> {
  holder[key] ??= new AsyncLocalStorage()
  return holder[key]
}

/**
 * Sets the status of a page that renders its own 401 or 404. Next's unauthorized() and notFound() send an empty document that needs
 * JavaScript. Call it before the first Suspense, because the headers are sent then.
 */
export function setResponseStatus(status: 401 | 403 | 404): void {
  const store = storage().getStore()
  if (store) store.status = status
}

/** Why the request was refused, for the 403 page, which Next renders without parameters. */
export function keepRefusal(refusal: Refusal): void {
  const store = storage().getStore()
  if (store) store.refusal = refusal
}
export const keptRefusal = (): Refusal | null => storage().getStore()?.refusal ?? null

/** For the server: sends the response of `work` with the status that its page has set. */
export function withResponseStatus<Result>(response: ServerResponse, work: () => Result): Result {
  const store: Status = { status: null, refusal: null }
  const writeHead = response.writeHead.bind(response)
  const writeHeadWithStatus = (status: number, ...rest: never[]) => writeHead(store.status ?? status, ...rest)
  // Node also calls it implicitly with the first byte of the body.
  Object.assign(response, { writeHead: writeHeadWithStatus })
  return storage().run(store, work)
}
