import type { InferSettings } from '../read/infer-settings.ts'
import type { RecordContext } from '../record-context.ts'
import type { Flat } from './flatten.ts'

/** Fills in the client's address and user agent where its SDK asked for it. */
export function inferClient({ attributes, facts }: Flat, settings: InferSettings, context: RecordContext): void {
  if (facts.userIp === '{{auto}}' || (settings.ip && facts.userIp === undefined)) {
    facts.userIp = context.clientAddress
    attributes['user.ip_address'] = context.clientAddress
  }
  if (settings.userAgent && facts.userAgent === undefined && context.userAgent !== '') {
    facts.userAgent = context.userAgent
    attributes['user_agent.original'] = context.userAgent
  }
}
