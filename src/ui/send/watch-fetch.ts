'use client'
/**
 * The requests of a page when the connection or the server is gone. Reads wait until it is back, so that the current page stays:
 * Next would load the target as a whole, which ends on the browser's own error page. Actions fail soon, because only the user
 * decides whether they are sent again.
 */
import { isGatewayStatus, plainFetch, probe, untilFound } from './connection.ts'

/** After so long without an answer, a probe finds out whether the connection is dead or the server is slow. */
const silentMs = 10_000
/** A read that fails although pages answer is given back, so that whoever reads shows its own error. */
const mostFailures = 3

/** Thrown to whoever called an action: no page has answered. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

type Send = typeof fetch

/** `fetch` for pages. Requests to other origins, and those that are neither reads nor actions, pass unchanged. */
export const watchedFetch: Send = (input, init) => {
  const request = describe(input, init)
  if (request === 'action') return sendAction(input, init)
  return request === 'read' ? read(input, init) : plainFetch(input, init)
}

function describe(input: RequestInfo | URL, init: RequestInit = {}): 'action' | 'read' | 'other' {
  if (input instanceof Request) return 'other'
  if (new URL(input, location.href).origin !== location.origin) return 'other'
  const method = (init.method ?? 'GET').toUpperCase()
  const headers = new Headers(init.headers)
  // Streams come back by themselves, as the server asks.
  if (method === 'GET') return headers.get('accept') === 'text/event-stream' ? 'other' : 'read'
  return method === 'POST' && headers.has('next-action') ? 'action' : 'other'
}

async function read(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  for (let failures = 1; ; failures++) {
    const outcome = await attempt(input, init).catch((error: unknown) => ({ error }))
    const isAnswer = outcome instanceof Response && !isGatewayStatus(outcome.status)
    if (isAnswer || isLeaving || init?.signal?.aborted || failures === mostFailures) return given(outcome)
    if (await probe()) continue
    await untilFound()
    failures = 0
  }
}

function given(outcome: Response | { error: unknown }): Response {
  if (outcome instanceof Response) return outcome
  throw outcome.error
}

async function sendAction(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await attempt(input, init).catch((error: unknown) => {
    throw new NoAnswer('The request was not answered.', { cause: error })
  })
  if (isGatewayStatus(response.status)) throw new NoAnswer(`The request was answered with ${response.status}.`)
  return response
}

/** Sends one request, and aborts it if there is no response for a while and the pages can't be reached. */
async function attempt(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const dead = new AbortController()
  const asked = init?.signal
  const leave = () => dead.abort(asked?.reason)
  if (asked?.aborted) leave()
  asked?.addEventListener('abort', leave)
  let timer: ReturnType<typeof setTimeout>
  const listen = () => {
    timer = setTimeout(() => {
      void probe().then(isUp => (isUp ? listen() : dead.abort()))
    }, silentMs)
  }
  listen()
  return plainFetch(input, { ...init, signal: dead.signal }).finally(() => clearTimeout(timer))
}

let isLeaving = false

if (typeof window !== 'undefined') {
  window.fetch = watchedFetch
  addEventListener('pagehide', () => {
    isLeaving = true
  })
  addEventListener('pageshow', () => {
    isLeaving = false
  })
}
