/** Recorded SDK traffic as inbox records, for tests and benchmarks. */
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { InboxRecord } from '#inbox/record.ts'

const folder = new URL('./fixtures/captures/', import.meta.url).pathname

export const listScenarios = (): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort()

export const listCaptures = (scenario: string): string[] =>
  readdirSync(`${folder}${scenario}`)
    .filter(name => name.endsWith('.body'))
    .map(name => `${scenario}/${name.slice(0, -'.body'.length)}`)
    .sort()

/** `readCapture('node-error/002')`; received when it was recorded. */
export function readCapture(name: string): InboxRecord {
  const { headers, time } = JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as {
    headers: Record<string, string>
    time: string
  }
  const raw = readFileSync(`${folder}${name}.body`)
  return {
    head: {
      projectId: 42,
      keyId: 1,
      receivedAt: Date.parse(time),
      clientAddress: '203.0.113.7',
      userAgent: headers['user-agent'] ?? '',
    },
    body: headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw,
  }
}
