import { readdirSync, readFileSync } from 'node:fs'
import type { RecordedRequest } from './mutate.ts'

const folder = new URL('../fixtures/captures/', import.meta.url)

/** The recorded requests that carried an envelope: to `/envelope/`, or to an app's tunnel at `/monitoring`. */
export function recordedEnvelopes(): RecordedRequest[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.json'))
    .sort()
    .flatMap(file => {
      const { path, headers } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
      if (!/\/envelope\/|^\/monitoring/.test(path)) return []
      const body = readFileSync(new URL(file.replace('.json', '.body'), folder))
      return [{ name: file.replace('.json', ''), path, headers, body }]
    })
}
