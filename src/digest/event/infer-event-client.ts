/** What the client asked us to fill in: its address, and what its user agent says about browser, system and device. */

import { isObject } from '#lib/json-value.ts'
import type { EventUser, StoredEvent } from '#protocol/event.ts'
import { readUserAgent } from '../normalise/read-user-agent.ts'
import type { RecordContext } from '../record-context.ts'
import { userAgentOf } from './user-agent-of.ts'

export function inferEventClient(event: StoredEvent, context: RecordContext): void {
  inferAddress(event, context)
  const client = readUserAgent(userAgentOf(event, context))
  if (client.browserName === '') return
  event.contexts.browser ??= { name: client.browserName, version: client.browserVersion }
  const os = { name: client.osName, version: client.osVersion }
  // A server's event names the server's own system; the visitor's stands beside it.
  if (event.platform === 'javascript') event.contexts.os ??= os
  else event.contexts.client_os ??= os
  if (event.platform === 'javascript') event.contexts.device ??= { family: client.device, type: client.deviceType }
}

function inferAddress(event: StoredEvent, context: RecordContext): void {
  const settings = isObject(event.sdk?.settings) ? event.sdk.settings : undefined
  const asksForIt = event.user?.ip_address === '{{auto}}'
  const isMissing = event.user?.ip_address === undefined
  // SDKs before the setting existed relied on it for browsers.
  const isWanted = settings?.infer_ip === 'auto' || (settings?.infer_ip !== 'never' && event.platform === 'javascript')
  if (!asksForIt && !(isMissing && isWanted)) return
  const user: EventUser = event.user ?? {}
  user.ip_address = settings?.infer_ip === 'never' ? '' : context.clientAddress
  event.user = user
}
