import type { StoredEvent } from '#protocol/event.ts'
import { isRedacted } from './frameworks/find-frameworks.ts'

/** Whether a browser event reports an error whose details only the server has. Such errors have no useful stack and all look alike. */
export function isServerError(event: StoredEvent): boolean {
  const value = event.exception?.values.at(-1)?.value
  return value !== undefined && event.platform === 'javascript' && isRedacted(event, value)
}
