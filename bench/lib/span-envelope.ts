import { readCapture } from './capture.ts'

type Container = { version: number; items: Record<string, unknown>[] }

/** One envelope of real SDK 11 spans (a page of Next rendered on the server), repeated until it holds about a hundred. */
export function spanEnvelope(copies = 3): { body: Buffer; spanCount: number } {
  const [header = '', , payload = ''] = readCapture('next-pageload/006').toString('utf8').split('\n')
  const texts = Array.from({ length: copies }, (_, copy) => renumber(payload, copy))
  const items = texts.flatMap(text => (JSON.parse(text) as Container).items)
  const itemHeader = {
    type: 'span',
    item_count: items.length,
    content_type: 'application/vnd.sentry.items.span.v2+json',
  }
  const body = [header, JSON.stringify(itemHeader), JSON.stringify({ version: 2, items }), ''].join('\n')
  return { body: Buffer.from(body), spanCount: items.length }
}

/** The tenth digit of each id tells the copies apart; the first eight are left to the sender. */
const renumber = (payload: string, copy: number): string =>
  payload.replace(
    /"([0-9a-f]{9})[0-9a-f]([0-9a-f]{6}(?:[0-9a-f]{16})?)"/g,
    (_, head, tail) => `"${head}${copy.toString(16)}${tail}"`,
  )
