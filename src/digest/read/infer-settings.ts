import { objectOf } from '#lib/json-value.ts'

/** Browsers ask the server to fill in what they cannot know: `ingest_settings` of a container. */
export type InferSettings = { ip: boolean; userAgent: boolean; isBrowser: boolean }

export function readInferSettings(container: unknown): InferSettings {
  const settings = objectOf(objectOf(container)?.ingest_settings)
  return {
    ip: settings?.infer_ip === 'auto',
    userAgent: settings?.infer_user_agent === 'auto',
    isBrowser: settings !== undefined,
  }
}
