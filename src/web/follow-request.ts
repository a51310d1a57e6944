import type { ServerResponse } from 'node:http'
import { RequestEnded, withRequest } from '#lib/read-signal.ts'
import { withResponseStatus } from './response-status.ts'

/**
 * Runs the work of a request so that its reads end with it: when the browser disconnects, or when the response is complete and reads of
 * panels that gave up (`attempt.ts`) are still running.
 */
export function followRequest<Result>(response: ServerResponse, isRead: boolean, work: () => Result): Result {
  const ended = new AbortController()
  response.once('close', () => ended.abort(new RequestEnded('The request has ended')))
  const request = { gone: ended.signal, isTooBusy: false }
  return withResponseStatus(
    response,
    () => request.isTooBusy,
    () => withRequest(request, isRead, work),
  )
}
