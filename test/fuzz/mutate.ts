/** Damages recorded requests like networks, proxies, bugs and attackers do. Pure: the seed decides everything. */
import { gunzipSync } from 'node:zlib'
import { byteMutators } from './mutate-bytes.ts'
import { encodeBody } from './mutate-encoding.ts'
import { itemMutators } from './mutate-items.ts'
import { jsonMutators } from './mutate-json.ts'
import { createRandom, type Random } from './random.ts'

/** As it was recorded: `body` is still content-encoded. */
export type RecordedRequest = { name: string; path: string; headers: Record<string, string>; body: Buffer }

export type MutatedRequest = {
  /** The recording and the kind of damage, to identify a failing request. */
  name: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** Damages one plain envelope; `other` is a second one to take parts from. */
export type Mutator = { name: string; mutate: (body: Buffer, other: Buffer, random: Random) => Buffer }

const mutators: Mutator[] = [...byteMutators, ...itemMutators, ...jsonMutators]

export function* mutations(
  seed: number,
  count: number,
  captures: readonly RecordedRequest[],
): Generator<MutatedRequest> {
  const random = createRandom(seed)
  const plain = captures.map(capture => ({ ...capture, body: plainBody(capture) }))
  for (let index = 0; index < count; index++) {
    // In turn, so that a short run has each recording and each kind of damage too.
    const capture = plain[index % plain.length] ?? random.pick(plain)
    const first = mutators[index % mutators.length] ?? random.pick(mutators)
    const steps = [first, ...Array.from({ length: random.int(3) }, () => random.pick(mutators))]
    const body = steps.reduce((bytes, step) => step.mutate(bytes, random.pick(plain).body, random), capture.body)
    const encoded = encodeBody(body, random)
    yield {
      name: `${seed}/${index} ${capture.name}: ${[...steps.map(step => step.name), encoded.name].join(', ')}`,
      path: capture.path,
      headers: { ...keptHeaders(capture.headers), ...encoded.headers },
      body: encoded.body,
    }
  }
}

function plainBody({ headers, body }: RecordedRequest): Buffer {
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

/** The client sets length and connection headers of a damaged body itself. */
const dropped = new Set(['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'host'])

function keptHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}
