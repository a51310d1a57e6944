/** Steady load from several senders, with a record of what was acknowledged and what is uncertain because the connection broke. */
import { createRandom, type Random } from '../fuzz/random.ts'
import { encodeSent, idOf, type Sent } from './envelopes.ts'

export type Book = { acknowledged: Sent[]; uncertain: Sent[]; refused: Sent[]; repeats: number }
export type Load = {
  book: Book
  /** How many of the refused ones were told to come back later (429): a slow machine may fall behind, and must say so. */
  throttled(): number
  /** How many requests have an end, whatever it was. */
  sent(): number
  stop(): Promise<void>
}

const senders = 4
const usualPauseMs = 40 // a hundred a second: enough to be hit at any moment, and what short lives can digest: most last a second or two

export function startLoad({
  url,
  projectId,
  publicKey,
  seed,
  pauseMs = usualPauseMs,
}: {
  url: string
  projectId: number
  publicKey: string
  seed: number
  pauseMs?: number
}): Load {
  const random = createRandom(seed)
  const book: Book = { acknowledged: [], uncertain: [], refused: [], repeats: 0 }
  let throttled = 0
  const address = `${url}/api/${projectId}/envelope/?sentry_key=${publicKey}&sentry_version=7`
  let number = 0
  let isRunning = true

  async function deliver(sent: Sent): Promise<'acknowledged' | 'throttled' | 'refused' | 'uncertain'> {
    try {
      const response = await fetch(address, { method: 'POST', body: new Uint8Array(encodeSent(sent, Date.now())) })
      await response.text()
      if (response.status === 429) return 'throttled'
      return response.status === 200 ? 'acknowledged' : response.status < 500 ? 'refused' : 'uncertain'
    } catch {
      // It may have arrived: it must be stored once or not at all.
      return 'uncertain'
    }
  }

  async function send(): Promise<void> {
    while (isRunning) {
      const sent = plan(random, idOf(seed, number++))
      const fate = await deliver(sent)
      if (fate === 'throttled') throttled += 1
      book[fate === 'throttled' ? 'refused' : fate].push(sent)
      // SDKs and proxies repeat a request whose response they missed: the event must still count once.
      if (sent.kind === 'event' && (fate === 'acknowledged' || fate === 'uncertain') && random.chance(0.05))
        book.repeats += (await deliver(sent)) === 'acknowledged' ? 1 : 0
      await new Promise(resolve => setTimeout(resolve, fate === 'uncertain' ? 100 : pauseMs))
    }
  }
  const running = Array.from({ length: senders }, send)
  return {
    book,
    throttled: () => throttled,
    sent: () => book.acknowledged.length + book.uncertain.length + book.refused.length,
    stop: async () => {
      isRunning = false
      await Promise.all(running)
    },
  }
}

/** Mostly errors; some with an attachment, a few of those too large for the log. */
function plan(random: Random, id: string): Sent {
  const dice = random.int(100)
  if (dice < 15) return { kind: 'spans', id, count: 1 + random.int(20) }
  if (dice < 30) return { kind: 'logs', id, count: 1 + random.int(20) }
  const attachmentBytes = dice < 31 ? 1_200_000 + random.int(400_000) : dice < 45 ? 100 + random.int(5_000) : 0
  return { kind: 'event', id, attachmentBytes }
}
