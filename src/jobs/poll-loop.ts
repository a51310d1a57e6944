/** Repeats a piece of work after a pause, at once when woken, and never twice at the same time. */
type Options = {
  run(): Promise<void>
  pollMs: number
  /** The pause after an error. */
  retryMs: number
  onError(error: unknown): void
}
export type PollLoop = { wake(): void; stop(): Promise<void> }

export function startPollLoop({ run, pollMs, retryMs, onError }: Options): PollLoop {
  let isStopping = false
  let isRunning = false
  let isWoken = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  function next(afterMs: number): void {
    clearTimeout(timer)
    if (isStopping) return
    timer = setTimeout(begin, afterMs)
    timer.unref()
  }

  function begin(): void {
    if (isRunning) return
    isRunning = true
    isWoken = false
    round = run()
      .then(() => (isWoken ? 0 : pollMs))
      .catch(error => {
        onError(error)
        return retryMs
      })
      .then(pauseMs => {
        isRunning = false
        next(pauseMs)
      })
  }

  next(0)
  return {
    wake: () => {
      isWoken = true
      if (!isRunning) next(0)
    },
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await round
    },
  }
}
