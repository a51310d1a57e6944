import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { RecordContext } from '../record-context.ts'
import { headerOf } from './header-of.ts'

/** Whose browser it was: as the event says, or as the browser that sent it said at the door. */
export function userAgentOf(event: StoredEvent, context: RecordContext): string {
  const sent = textOf(headerOf(event.request?.headers, 'user-agent'))
  return sent === '' && event.platform === 'javascript' ? context.userAgent : sent
}
