import { isObject } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'

const capturedObject = /^Object captured as exception with keys: /

/**
 * The status of a `Response` that a loader or action threw: SDKs send what is no `Error` as a text about its keys, and itself in `extra`.
 * Null for an error, and for a `Response` that was sent without its status.
 */
export function thrownStatus(event: StoredEvent): number | null {
  const error = event.exception?.values.at(-1)
  if (error?.mechanism?.synthetic !== true) return null
  const thrown = isObject(event.extra) ? event.extra.__serialized__ : undefined
  if (!isObject(thrown) || typeof thrown.status !== 'number') return null
  // If it contains an error, the router threw it, and that error's message says more.
  const isKnown = capturedObject.test(error.value ?? '') || isObject(thrown.error)
  return isKnown && Number.isInteger(thrown.status) && thrown.status >= 100 && thrown.status < 600
    ? thrown.status
    : null
}

/** Of a thrown `Response` whose status says that the server failed; null for anything else. */
export function failedStatus(event: StoredEvent): number | null {
  const status = thrownStatus(event)
  return status !== null && status >= 500 && capturedObject.test(event.exception?.values.at(-1)?.value ?? '')
    ? status
    : null
}
