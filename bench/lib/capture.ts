import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const folder = join(import.meta.dirname, '../../test/fixtures/captures')

/** A recorded request of a real SDK as plain bytes: `readCapture('node-error/002')`. */
export function readCapture(name: string): Buffer {
  const { headers } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
    headers: Record<string, string>
  }
  const raw = readFileSync(join(folder, `${name}.body`))
  return headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
}
