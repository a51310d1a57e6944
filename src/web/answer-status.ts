/**
 * The status of a page that is drawn, not thrown. Next answers unauthorized() and notFound() with an empty document that script
 * fills in; to be readable without script a page draws its 401 or 404 itself, and this carries the number to the response.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'

type Answer = { status: number | null }

const key = Symbol.for('hydrant.answerStatus')
const holder = globalThis as { [key]?: AsyncLocalStorage<Answer> }

/** One for the process, whichever of Next's copies of this module asks. */
function storage(): AsyncLocalStorage<Answer> {
  holder[key] ??= new AsyncLocalStorage()
  return holder[key]
}

/** For pages and layouts, before their first Suspense: the head of the answer is not sent until then. */
export function answerStatus(status: 401 | 404): void {
  const answer = storage().getStore()
  if (answer) answer.status = status
}

/** For the server: whatever `work` answers, it answers with the status that its page asked for. */
export function withAnswerStatus<Result>(response: ServerResponse, work: () => Result): Result {
  const answer: Answer = { status: null }
  const writeHead = response.writeHead.bind(response)
  const writeHeadWithStatus = (status: number, ...rest: never[]) => writeHead(answer.status ?? status, ...rest)
  // Node ends up here also when nobody calls it: a first byte without a head writes one.
  Object.assign(response, { writeHead: writeHeadWithStatus })
  return storage().run(answer, work)
}
