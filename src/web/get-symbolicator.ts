import { readSignal } from '#lib/read-signal.ts'
import { createTurns } from '#lib/turns.ts'
import type { Symbolicator } from '#symbolication/open-symbolicator.ts'

const key = Symbol.for('hydrant.symbolicator')
type Holder = { [key]?: Symbolicator }

/**
 * The web process starts the symbolication thread outside of the Next bundle, because a bundler can't resolve the thread's entry file.
 * Pages get it through a global symbol, whichever copy of this module they have.
 */
export function provideSymbolicator(symbolicator: Symbolicator): void {
  ;(globalThis as Holder)[key] = symbolicator
}

export function getSymbolicator(): Symbolicator {
  const symbolicator = (globalThis as Holder)[key]
  if (symbolicator === undefined) throw new Error('provideSymbolicator has not been called')
  return symbolicator
}

/** Enough to keep the thread busy while pages prepare the next tasks. */
const limits = {
  running: { total: 6, perOrganization: 4, perMember: 4 },
  waiting: { perOrganization: 200, perMember: 200 },
}

/**
 * The same thread, with a short queue: tasks of an ended request leave it, and artifact bundles take turns. In the thread itself nothing could be
 * removed, and its limit of a minute would also count the time in the queue.
 */
export function inTurns(symbolicator: Symbolicator): Symbolicator {
  const turns = createTurns(limits)
  return {
    ...symbolicator,
    async resolve(tasks) {
      const bundle = tasks[0]?.ref.bundleId ?? 0
      const release = await turns.take({ organization: bundle, member: '' }, readSignal())
      try {
        return await symbolicator.resolve(tasks)
      } finally {
        release()
      }
    },
  }
}
