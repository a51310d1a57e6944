export type Refresher = {
  ask(): void
  /** Called when a refresh has begun, and again when its page is shown. */
  setRunning(isRunning: boolean): void
  stop(): void
}

type Options = {
  refresh(): void
  /** How long to wait for more news before a refresh. */
  delayMs: number
  /** Between the beginnings of two refreshes. */
  pauseMs: number
}

/** Turns any number of requests into one refresh at a time. News that arrive during a refresh cause another one. */
export function createRefresher({ refresh, delayMs, pauseMs }: Options): Refresher {
  let isWanted = false
  let isRunning = false
  let lastAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | null = null

  function plan(): void {
    if (!isWanted || isRunning || timer !== null) return
    const begin = () => {
      timer = null
      isWanted = false
      isRunning = true
      lastAt = performance.now()
      refresh()
    }
    timer = setTimeout(begin, Math.max(delayMs, lastAt + pauseMs - performance.now()))
  }

  return {
    ask() {
      isWanted = true
      plan()
    },
    setRunning(is) {
      isRunning = is
      plan()
    },
    stop() {
      isWanted = false
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
