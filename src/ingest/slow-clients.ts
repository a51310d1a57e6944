/** Times out slow request bodies. One timer for all of them: a timer per request would cost more than the rest of a small request. */
type WatchedBody = {
  startedAt: number
  hasMoved: boolean
  /** Reading is paused by us, so the client is not slow. */
  isPausedByUs: boolean
  giveUp: () => void
}

export type SlowWatch = { add(giveUp: () => void): WatchedBody; remove(body: WatchedBody): void; close(): void }

type SlowBounds = {
  /** Without a byte for this long, at most twice as long, because the timer has this interval. */
  idleMs: number
  /** For the whole body, however steadily it arrives. */
  totalMs: number
}

export function createSlowWatch({ idleMs, totalMs }: SlowBounds): SlowWatch {
  const bodies = new Set<WatchedBody>()
  let timer: NodeJS.Timeout | null = null

  function tick() {
    if (bodies.size === 0) return close()
    const now = performance.now()
    for (const body of bodies) {
      const isIdle = !body.hasMoved && !body.isPausedByUs
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
      const body = { startedAt: performance.now(), hasMoved: true, isPausedByUs: false, giveUp }
      bodies.add(body)
      return body
    },
    remove: body => void bodies.delete(body),
    close,
  }
}
