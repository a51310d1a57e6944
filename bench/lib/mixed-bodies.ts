import { readCapture } from './capture.ts'
import { spanEnvelope } from './span-envelope.ts'
import { type TemplateBody, templateBody } from './template-body.ts'

/** Envelopes of several kinds, to be sent in turn, and how many items (spans, log lines, events …) one round of them brings. */
export function mixedBodies(): { bodies: TemplateBody[]; itemsPerRound: number } {
  const { body, spanCount } = spanEnvelope()
  const error = { body: readCapture('node-error/002'), itemCount: 1 }
  const session = { body: readCapture('node-sessions/003'), itemCount: 1 }
  const parts = [
    { body, itemCount: spanCount },
    error,
    repeatItems('node-logs/001', 100),
    error,
    repeatItems('node-metrics/001', 50),
    error,
    session,
  ]
  const itemsPerRound = parts.reduce((sum, { itemCount }) => sum + itemCount, 0)
  return { bodies: parts.map(part => templateBody(part.body)), itemsPerRound }
}

/** A container with its items several times over: SDKs send up to a hundred at once. */
function repeatItems(capture: string, itemCount: number): { body: Buffer; itemCount: number } {
  const [header = '', itemHeader = '', payload = ''] = readCapture(capture).toString('utf8').split('\n')
  const container = JSON.parse(payload) as { items: object[] }
  const items = Array.from({ length: itemCount }, (_, index) => container.items[index % container.items.length])
  const { length: _, ...head } = JSON.parse(itemHeader) as Record<string, unknown>
  const lines = [
    header,
    JSON.stringify({ ...head, item_count: itemCount }),
    JSON.stringify({ ...container, items }),
    '',
  ]
  return { body: Buffer.from(lines.join('\n')), itemCount }
}
