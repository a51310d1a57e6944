/** Starts a child and starts it again whenever it ends, with a pause that grows while it keeps failing. */
import type { Logger } from 'pino'

export type Child = {
  pid: number
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Resolves when its event loop has answered. */
  ping(): Promise<void>
  stop(): Promise<void>
}

/** `silent`: it does not answer, and is about to be ended. */
type ChildState = 'starting' | 'up' | 'silent' | 'down'
export type KeptChild<Handle extends Child> = {
  readonly current: Handle | null
  readonly state: ChildState
  /** Resolves with the first life, so that start-up can wait for it. */
  readonly firstUp: Promise<Handle>
  stop(): Promise<void>
}

/** `record_timeout`: one record took too much CPU time. */
export type RestartReason = 'exit' | 'signal' | 'hung' | 'record_timeout'

type Options<Handle extends Child> = {
  name: string
  start(): Promise<Handle>
  log: Logger
  onUp?(handle: Handle): void
  onDown?(): void
  /** Told whenever a child that was up has to be started again. */
  onRestart?(reason: RestartReason): void
}

/** Answers take milliseconds. Half a minute is no load and no slow disk, and about as long as a visitor waits before giving up. */
const hungAfterMs = 30_000
const pauseMs = { first: 200, most: 10_000 }
const steadyAfterMs = 20_000 // a life this long counts as healthy: the next pause is short again

export function keepAlive<Handle extends Child>({
  name,
  start,
  log,
  onUp,
  onDown,
  onRestart,
}: Options<Handle>): KeptChild<Handle> {
  let current: Handle | null = null
  let isStopping = false
  let state: ChildState = 'starting'
  let waitMs = pauseMs.first
  let settleFirst: (handle: Handle) => void = () => undefined
  const firstUp = new Promise<Handle>(resolve => {
    settleFirst = resolve
  })

  async function live(): Promise<void> {
    const begun = performance.now()
    try {
      const handle = await start()
      current = handle
      state = 'up'
      if (isStopping) return void handle.stop()
      log.info({ child: name, pid: handle.pid, ms: Math.round(performance.now() - begun) }, `${name} is up`)
      settleFirst(handle)
      onUp?.(handle)
      let isHung = false
      const heartbeat = watchHeartbeat({
        ping: handle.ping,
        boundMs: hungAfterMs,
        onSilent: () => {
          if (isStopping) return
          isHung = true
          state = 'silent'
          log.error({ child: name, pid: handle.pid, silentMs: hungAfterMs }, `${name} does not answer; ending it`)
          endProcess(handle.pid)
        },
      })
      const { code, signal } = await handle.exited
      heartbeat.stop()
      current = null
      state = 'down'
      onDown?.()
      if (!isStopping) {
        log.error({ child: name, code, signal }, `${name} ended; starting it again`)
        onRestart?.(isHung ? 'hung' : signal === null ? 'exit' : 'signal')
      }
    } catch (error) {
      state = 'down'
      log.error({ child: name, error: error instanceof Error ? error.message : String(error) }, `${name} did not start`)
    }
    if (performance.now() - begun > steadyAfterMs) waitMs = pauseMs.first
  }

  async function forever(): Promise<void> {
    while (!isStopping) {
      await live()
      if (isStopping) break
      await new Promise(resolve => setTimeout(resolve, waitMs))
      waitMs = Math.min(waitMs * 2, pauseMs.most)
    }
  }
  void forever()

  return {
    get current() {
      return current
    },
    get state() {
      return state
    },
    firstUp,
    stop: async () => {
      isStopping = true
      await current?.stop()
    },
  }
}

/** SIGKILL reaches also a process that was stopped. It may have ended by itself in this very moment. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * Notices a child that runs and does nothing. It is asked over a channel that its event loop answers, beside whatever it works on, so a
 * long query or a slow page is no silence.
 */
type HeartbeatOptions = {
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
export function watchHeartbeat({ ping, boundMs, onSilent, everyMs = 2_000 }: HeartbeatOptions): { stop(): void } {
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
