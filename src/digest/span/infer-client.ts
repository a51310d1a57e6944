/** Browsers ask the server to fill in what they cannot know: `ingest_settings` of a container. */
import { objectOf } from '#lib/json-value.ts'
import type { Flat } from '../attributes/flatten.ts'
import type { RecordContext } from '../record-context.ts'

export type InferSettings = { ip: boolean; userAgent: boolean; isBrowser: boolean }

export function readInferSettings(container: unknown): InferSettings {
  const settings = objectOf(objectOf(container)?.ingest_settings)
  return {
    ip: settings?.infer_ip === 'auto',
    userAgent: settings?.infer_user_agent === 'auto',
    isBrowser: settings !== undefined,
  }
}

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
