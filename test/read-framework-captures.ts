/** Requests of real apps of other frameworks (production builds in Chromium) as inbox records, by scenario. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { InboxRecord } from '#inbox/record.ts'

const folder = new URL('./fixtures/frameworks/', import.meta.url).pathname

type Recorded = { name: string; at: string; userAgent: string; body: string }

/** `rr`, `remix`, …: an app with its SDK. */
export const listFrameworkApps = (): string[] =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json.gz'))
    .map(name => name.slice(0, -'.json.gz'.length))
    .sort()

/** `rr-not-found` and its requests, both in the order in which they arrived. */
export function readFrameworkCaptures(app: string): Map<string, InboxRecord[]> {
  const recorded = JSON.parse(gunzipSync(readFileSync(`${folder}${app}.json.gz`)).toString()) as Recorded[]
  const inOrder = recorded.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const byScenario = Map.groupBy(inOrder, ({ name }) => name.split('/')[0] ?? '')
  return new Map(Array.from(byScenario, ([scenario, requests]) => [scenario, requests.map(toRecord)]))
}

function toRecord({ at, userAgent, body }: Recorded): InboxRecord {
  const head = { projectId: 42, keyId: 1, receivedAt: Date.parse(at), clientAddress: '203.0.113.7', userAgent }
  return { head, body: Buffer.from(body) }
}
