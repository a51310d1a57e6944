import type { StoredEvent } from '#protocol/event.ts'
import { readReactError } from '../react-error.ts'

/** How the browser says that the server failed. The error has no stack of its own and every one of them looks alike. */
const codes = new Set([419, 441])
const wordings = [
  /^An error occurred in the Server Components render/,
  /^The server could not finish this Suspense boundary/,
  /^Switched to client rendering because the server rendering (?:errored|aborted)/,
]

/** Whether a browser's event is the echo of an error whose stack only the server has. */
export function isServerError(event: StoredEvent): boolean {
  const error = event.exception?.values.at(-1)
  if (error?.value === undefined || event.platform !== 'javascript') return false
  const code = readReactError(error.value)?.code
  if (code !== undefined) return codes.has(code)
  return wordings.some(wording => wording.test(error.value ?? ''))
}
