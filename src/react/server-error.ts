import type { StoredEvent } from '#protocol/event.ts'
import { isEchoed, isRedacted } from './frameworks/find-frameworks.ts'

/** Whether a browser event reports an error whose details only the server has. Such errors have no useful stack and all look alike. */
export function isServerError(event: StoredEvent): boolean {
  const value = event.exception?.values.at(-1)?.value
  return value !== undefined && event.platform === 'javascript' && isRedacted(event, value)
}

/** Whether a browser event repeats a server's error, message included. If the server reports it too, both are one failure. */
export const isServerEcho = (event: StoredEvent): boolean => event.platform === 'javascript' && isEchoed(event)
