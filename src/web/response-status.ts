import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { tooBusyRetrySeconds } from '#lib/turns.ts'

type Status = { status: number | null }

const key = Symbol.for('hydrant.responseStatus')
const holder = globalThis as { [key]?: AsyncLocalStorage<Status> }

/** One per process, although Next may load several copies of this module. */
function storage(): AsyncLocalStorage<Status> {
  holder[key] ??= new AsyncLocalStorage()
  return holder[key]
}

/**
 * Sets the status of a page that renders its own 401, 403 or 404, or of an action that says why it refused. Next's unauthorized() and notFound() send an empty document that needs
 * JavaScript. Call it before the first Suspense, because the headers are sent then.
 */
export function setResponseStatus(status: 401 | 403 | 404): void {
  const store = storage().getStore()
  if (store) store.status = status
}

/** For the server: sends the response of `work` with the status that its page has set. */
export function withResponseStatus<Result>(
  response: ServerResponse,
  isTooBusy: () => boolean,
  work: () => Result,
): Result {
  const store: Status = { status: null }
  const writeHead = response.writeHead.bind(response)
  const writeHeadWithStatus = (status: number, ...rest: never[]) => {
    // A refused read has failed the whole response.
    const isRefused = status === 500 && isTooBusy()
    if (isRefused) response.setHeader('retry-after', tooBusyRetrySeconds)
    return writeHead(store.status ?? (isRefused ? 503 : status), ...rest)
  }
  // Node also calls it implicitly with the first byte of the body.
  Object.assign(response, { writeHead: writeHeadWithStatus })
  return storage().run(store, work)
}
