/**
 * Passes committed log lines to the open streams of this process. The digest of this node pushes its batches as it commits them; what
 * other nodes commit is noticed by their cursors in the control database, and each stream reads it from the engine.
 */

import type { TailPosition } from '#domain/logs/tail/position-text.ts'
import type { TailBatch } from '#domain/logs/tail/tail-line.ts'
import { withReadSignal } from '#lib/read-signal.ts'

export type TailListener = {
  onBatch(batch: TailBatch): void
  /** Batches after one and up to another that were not pushed. */
  onGap(gap: Gap): void
  end(): void
}
export type Gap = { inboxId: string; after: number; upTo: number }

/** What main sends. `tailing`: all batches after this one are going to be pushed; without an inbox, this node has no digest. */
export type FromMain = { type: 'tailing'; inboxId: string; batch: number } | { type: 'lines'; batch: TailBatch }

type Options = {
  /** Asks digest to push, or to stop it. */
  ask(isOn: boolean): void
  readCommitted(): Promise<TailPosition>
}

const pollMs = 1_000
const answerMs = 2_000 // without an answer from digest, its batches are read like those of other nodes
const restMs = 60_000 // a reader who reloads the page finds the buffer
const keptLines = 2_000

type Kept = { inboxId: string /** All pushed batches after this one are kept. */; after: number; batches: TailBatch[] }

export function createTailHub({ ask, readCommitted }: Options) {
  const listeners = new Set<TailListener>()
  /** Up to where the listeners have what each inbox has committed. */
  const delivered = new Map<string, number>()
  let kept: Kept | null = null
  let poll: NodeJS.Timeout | undefined
  let rest: NodeJS.Timeout | undefined
  let ready: Promise<void> | null = null
  let settleAnswer: () => void = () => undefined
  /** From when on the listeners hear of what is new. */
  let isOpen = false

  function advance(inboxId: string, upTo: number): void {
    const after = delivered.get(inboxId)
    if (after !== undefined && after >= upTo) return
    delivered.set(inboxId, upTo)
    // An inbox that was unknown so far is that of a new node: all of it is new.
    if (isOpen) for (const listener of listeners) listener.onGap({ inboxId, after: after ?? 0, upTo })
  }

  async function readOthers(): Promise<void> {
    try {
      for (const [inboxId, batch] of await readCommitted()) if (inboxId !== kept?.inboxId) advance(inboxId, batch)
    } catch {
      // Main logs database failures. The next poll tries again.
    }
  }

  async function begin(): Promise<void> {
    const answer = new Promise<void>(resolve => {
      settleAnswer = resolve
    })
    ask(true)
    await Promise.race([answer, new Promise(resolve => setTimeout(resolve, answerMs).unref())])
    await readOthers()
    isOpen = true
    poll = setInterval(() => void readOthers(), pollMs)
  }

  function stop(): void {
    clearInterval(poll)
    ask(false)
    ready = null
    isOpen = false
    kept = null
    delivered.clear()
  }

  function keep(batch: TailBatch): void {
    if (!kept) return
    kept.batches.push(batch)
    let lines = kept.batches.reduce((sum, each) => sum + each.lines.length, 0)
    while (lines > keptLines && kept.batches.length > 1) {
      const dropped = kept.batches.shift()
      lines -= dropped?.lines.length ?? 0
      kept.after = dropped?.batch ?? kept.after
    }
  }

  return {
    receive(message: FromMain): void {
      if (message.type === 'tailing') {
        const { inboxId, batch } = message
        if (inboxId !== '') {
          advance(inboxId, batch)
          // Batches that were read as those of other nodes are not taken again.
          kept = { inboxId, after: Math.max(batch, delivered.get(inboxId) ?? 0), batches: [] }
        }
        settleAnswer()
        return
      }
      const { batch } = message
      if (kept?.inboxId !== batch.inboxId || batch.batch <= (delivered.get(batch.inboxId) ?? 0)) return
      delivered.set(batch.inboxId, batch.batch)
      keep(batch)
      for (const listener of listeners) listener.onBatch(batch)
    },

    /** Gives where the listener's batches begin, and a function that stops it. */
    async listen(listener: TailListener): Promise<{ from: TailPosition; stop: () => void }> {
      clearTimeout(rest)
      // It outlives the request of the first listener.
      ready ??= withReadSignal(undefined, begin)
      await ready
      listeners.add(listener)
      return {
        from: new Map(delivered),
        stop: () => {
          listeners.delete(listener)
          if (listeners.size > 0) return
          clearTimeout(rest)
          rest = setTimeout(() => listeners.size === 0 && ready !== null && stop(), restMs)
          rest.unref()
        },
      }
    },

    /** The pushed batches of a gap; null if the buffer does not reach so far back. */
    recall({ inboxId, after, upTo }: Gap): TailBatch[] | null {
      if (kept?.inboxId !== inboxId || kept.after > after) return null
      return kept.batches.filter(({ batch }) => batch > after && batch <= upTo)
    },

    /** Ends every stream, so that the server can close. */
    close(): void {
      for (const listener of [...listeners]) listener.end()
    },
  }
}

export type TailHub = ReturnType<typeof createTailHub>

const key = Symbol.for('hydrant.tail')
const holder = globalThis as { [key]?: TailHub }

/** The hub of this process; null where none was provided, as in a build. */
export const getTailHub = (): TailHub | null => holder[key] ?? null

export function provideTailHub(hub: TailHub): TailHub {
  holder[key] = hub
  return hub
}
