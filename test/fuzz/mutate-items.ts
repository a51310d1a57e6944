/** Damages the framing: headers, lengths, and items that are repeated, reordered or taken from another envelope. */
import { type EnvelopeItem, readEnvelope } from '#protocol/read-envelope.ts'
import type { Mutator } from './mutate.ts'
import type { Random } from './random.ts'

type Parts = { headers: object; items: { headers: Record<string, unknown>; payload: Buffer }[] }

const take = (body: Buffer): Parts => {
  const { headers, items } = readEnvelope(body)
  return { headers, items: items.map(item => ({ headers: { ...item.headers }, payload: bytesOf(item) })) }
}

const bytesOf = ({ payload }: EnvelopeItem) => (payload.kind === 'bytes' ? payload.bytes : Buffer.alloc(0))

function put({ headers, items }: Parts): Buffer {
  const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)
  return Buffer.concat([line(headers), ...items.flatMap(item => [line(item.headers), item.payload, Buffer.from('\n')])])
}

/** A mutator of the parts of an envelope; one that cannot be split any more stays as it is. */
const onParts = (name: string, change: (parts: Parts, other: Parts, random: Random) => void): Mutator => ({
  name,
  mutate(body, other, random) {
    const parts = take(body)
    if (parts.items.length === 0) return body
    change(parts, take(other), random)
    try {
      return put(parts)
    } catch {
      // Another mutator nested a header too deep for JSON.stringify: it is damaged enough.
      return body
    }
  },
})

const lengths = [0, 1, -1, 1.5, '12', null, true, 2 ** 31, 2 ** 53, Number.MAX_SAFE_INTEGER, 1e300, {}]
const types = [
  'event',
  'transaction',
  'span',
  'log',
  'attachment',
  'session',
  'replay_recording',
  'tomorrow',
  '',
  '__proto__',
  'constructor',
  7,
  null,
]
const edits: [string, unknown][] = [
  ['__proto__', { polluted: true }],
  ['event_id', 'not an id'],
  ['event_id', '00000000-0000-0000-0000-000000000000'],
  ['sent_at', '3000-01-01T00:00:00Z'],
  ['sent_at', 0],
  ['dsn', 'http://nonsense'],
  ['dsn', 'http://0123456789abcdef0123456789abcdef@127.0.0.1:9111/999999'],
  ['sdk', 'text'],
  ['trace', [1, 2, 3]],
  ['trace', { trace_id: 5, sample_rate: 'x' }],
]

export const itemMutators: Mutator[] = [
  onParts('edit a length', ({ items }, _other, random) => {
    const item = random.pick(items)
    item.headers.length = random.chance(0.5) ? item.payload.length + random.int(9) - 4 : random.pick(lengths)
  }),
  onParts('edit a type', ({ items }, _other, random) => {
    random.pick(items).headers.type = random.pick(types)
  }),
  onParts('edit an item count', ({ items }, _other, random) => {
    random.pick(items).headers.item_count = random.pick([0, -5, 10_000_000, 'many', null])
  }),
  onParts('edit the envelope header', (parts, _other, random) => {
    const [key, value] = random.pick(edits)
    parts.headers = { ...Object.fromEntries([...Object.entries(parts.headers), [key, value]]) }
  }),
  onParts('repeat items', ({ items }, _other, random) => {
    const item = random.pick(items)
    const times = random.chance(0.05) ? 200 : 1 + random.int(3)
    for (let added = 0; added < times; added++) items.push({ headers: { ...item.headers }, payload: item.payload })
  }),
  onParts("take over another envelope's items", ({ items }, other, random) => {
    if (other.items.length > 0) items.splice(random.int(items.length + 1), 0, random.pick(other.items))
  }),
  onParts('reverse the items', ({ items }) => {
    items.reverse()
  }),
  onParts('empty a payload', ({ items }, _other, random) => {
    random.pick(items).payload = Buffer.alloc(0)
  }),
  onParts('lengths for all', ({ items }) => {
    for (const item of items) item.headers.length = item.payload.length
  }),
]
