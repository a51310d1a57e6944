/**
 * Notices a child that runs and does nothing. It is asked over a channel that its event loop answers, beside whatever it works on, so a
 * long query or a slow page is no silence.
 */
type Options = {
  /** Resolves when the other side has answered. One that never resolves is what is looked for. */
  ping(): Promise<void>
  /** How long it may be silent, in milliseconds of our own time. */
  boundMs: number
  onSilent(): void
  everyMs?: number
}

/**
 * Silence is counted in ticks, and one tick never counts for more than two: when this process itself was stopped, or the machine slept,
 * nobody could have answered. Timers and `performance.now()` are monotonic, so a change of the clock does not count either.
 */
export function watchHeartbeat({ ping, boundMs, onSilent, everyMs = 2_000 }: Options): { stop(): void } {
  let silentMs = 0
  let isWaiting = false
  let lastTick = performance.now()

  function ask(): void {
    isWaiting = true
    ping().then(
      () => {
        isWaiting = false
        silentMs = 0
      },
      () => undefined, // a closed channel is silence too; that the child has ended is heard elsewhere
    )
  }

  const timer = setInterval(() => {
    const now = performance.now()
    if (isWaiting) silentMs += Math.min(now - lastTick, 2 * everyMs)
    lastTick = now
    if (!isWaiting) return ask()
    if (silentMs < boundMs) return
    clearInterval(timer)
    onSilent()
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
