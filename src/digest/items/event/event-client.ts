/** Fills in the client's IP address, and browser, OS and device from its user agent. */
import { isObject, type JsonObject, textOf } from '#lib/json-value.ts'
import type { EventUser, StoredEvent } from '#protocol/event.ts'
import { readUserAgent } from '../../normalize/read-user-agent.ts'
import type { RecordContext } from '../../record-context.ts'

export function inferEventClient(event: StoredEvent, context: RecordContext): void {
  inferAddress(event, context)
  const client = readUserAgent(userAgentOf(event, context))
  if (client.browserName === '') return
  event.contexts.browser ??= { name: client.browserName, version: client.browserVersion }
  const os = { name: client.osName, version: client.osVersion }
  // In a server event, `os` is the server's; the client's goes into `client_os`.
  if (event.platform === 'javascript') event.contexts.os ??= os
  else event.contexts.client_os ??= os
  if (event.platform === 'javascript') event.contexts.device ??= { family: client.device, type: client.deviceType }
}

function inferAddress(event: StoredEvent, context: RecordContext): void {
  const settings = isObject(event.sdk?.settings) ? event.sdk.settings : undefined
  const isAuto = event.user?.ip_address === '{{auto}}'
  const isMissing = event.user?.ip_address === undefined
  // Browser SDKs from before the setting rely on it.
  const isWanted = settings?.infer_ip === 'auto' || (settings?.infer_ip !== 'never' && event.platform === 'javascript')
  if (!isAuto && !(isMissing && isWanted)) return
  const user: EventUser = event.user ?? {}
  user.ip_address = settings?.infer_ip === 'never' ? '' : context.clientAddress
  event.user = user
}

/** The user agent in the event, or that of the request when a browser sent it. */
export function userAgentOf(event: StoredEvent, context: RecordContext): string {
  const sent = textOf(headerOf(event.request?.headers, 'user-agent'))
  return sent === '' && event.platform === 'javascript' ? context.userAgent : sent
}

/** Finds a header by its lowercase name, in any case; undefined when absent. */
export function headerOf(headers: JsonObject | undefined, name: string): unknown {
  if (headers === undefined) return undefined
  const exact = headers[name]
  if (exact !== undefined && Object.hasOwn(headers, name)) return exact
  for (const key in headers) if (key.length === name.length && key.toLowerCase() === name) return headers[key]
  return undefined
}
