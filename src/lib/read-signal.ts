/**
 * Ends reads whose result is no longer needed. Web's server gives each request a signal that aborts when its response is closed, and the
 * telemetry store takes it from here, so that no query has to pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

type Request = {
  /** Aborts when the response is closed, sent or not. */
  gone: AbortSignal
  /** Whether one of its reads was refused because too many were waiting. */
  isTooBusy: boolean
}
type Context = { signal: AbortSignal | undefined; request: Request | null }

const key = Symbol.for('hydrant.readSignal')
const holder = globalThis as { [key]?: AsyncLocalStorage<Context> }

/** One per process, although Next may load several copies of this module. */
function storage(): AsyncLocalStorage<Context> {
  holder[key] ??= new AsyncLocalStorage()
  return holder[key]
}

/** Undefined where reads must finish: in commands, jobs, and work after a response. */
export const readSignal = (): AbortSignal | undefined => storage().getStore()?.signal

export const withReadSignal = <Result>(signal: AbortSignal | undefined, work: () => Result): Result =>
  storage().run({ signal, request: storage().getStore()?.request ?? null }, work)

/** Only requests that change nothing may end early. A submitted form is processed even if the browser has disconnected. */
export const withRequest = <Result>(request: Request, changesNothing: boolean, work: () => Result): Result =>
  storage().run({ signal: changesNothing ? request.gone : undefined, request }, work)

/** For forms that only read, such as a preview. */
export const whileRequestLasts = <Result>(work: () => Result): Result =>
  withReadSignal(storage().getStore()?.request?.gone, work)

export function noteTooBusy(): void {
  const request = storage().getStore()?.request
  if (request) request.isTooBusy = true
}

/** Aborts when all of them have, for a read with several waiters. Undefined (never) if one of them is undefined. */
export function allAborted(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const known = [...new Set(signals)].filter(signal => signal !== undefined)
  if (known.length === 0 || signals.includes(undefined)) return undefined
  const controller = new AbortController()
  const check = (): void => {
    if (known.every(signal => signal.aborted)) controller.abort(known[0]?.reason)
  }
  for (const signal of known) signal.addEventListener('abort', check, { once: true })
  check()
  return controller.signal
}

/** The reason of `gone`. Modules are loaded several times in one process, so compare names: `isRequestEnded`. */
export class RequestEnded extends Error {
  override name = 'RequestEnded'
}
export const isRequestEnded = (error: unknown): boolean => error instanceof Error && error.name === 'RequestEnded'
