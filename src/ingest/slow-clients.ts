/** One clock for all bodies on their way: a timer per request would cost more than everything else that is done for a small one. */

type WatchedBody = {
  startedAt: number
  hasMoved: boolean /** We hold the sender back: it is not to blame. */
  isOurTurn: boolean
  giveUp: () => void
}

export type SlowWatch = { add(giveUp: () => void): WatchedBody; remove(body: WatchedBody): void; close(): void }

type SlowBounds = {
  /** No byte for this long (at most twice, since the clock ticks at this pace), and the sender is given up. */
  idleMs: number
  /** However steadily it drips. */
  totalMs: number
}

export function createSlowWatch({ idleMs, totalMs }: SlowBounds): SlowWatch {
  const bodies = new Set<WatchedBody>()
  let timer: NodeJS.Timeout | null = null

  function tick() {
    if (bodies.size === 0) return close()
    const now = performance.now()
    for (const body of bodies) {
      const isIdle = !body.hasMoved && !body.isOurTurn
      body.hasMoved = false
      if (isIdle || now - body.startedAt > totalMs) body.giveUp()
    }
  }

  function close() {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  return {
    add(giveUp) {
      timer ??= setInterval(tick, idleMs).unref()
      const body = { startedAt: performance.now(), hasMoved: true, isOurTurn: false, giveUp }
      bodies.add(body)
      return body
    },
    remove: body => void bodies.delete(body),
    close,
  }
}
