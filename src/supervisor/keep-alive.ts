/** Starts a child process and restarts it whenever it ends, with a growing pause while it keeps failing. */
import type { Logger } from 'pino'

export type Child = {
  pid: number
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Resolves when the child's event loop has responded. */
  ping(): Promise<void>
  stop(): Promise<void>
}

/** As `/readyz` prints it. */
type ChildState = 'starting' | 'up' | 'not answering' | 'down'
export type KeptChild<Handle extends Child> = {
  readonly current: Handle | null
  readonly state: ChildState
  /** Resolves when the child is up for the first time. */
  readonly firstUp: Promise<Handle>
  stop(): Promise<void>
}

/** `record_timeout`: a record exceeded its CPU budget (digest thread only). */
export type RestartReason = 'exit' | 'signal' | 'hung' | 'record_timeout'

type Options<Handle extends Child> = {
  name: string
  start(): Promise<Handle>
  log: Logger
  onUp?(handle: Handle): void
  onDown?(): void
  /** Called when a child that was up has ended and is restarted. */
  onRestart?(reason: RestartReason): void
}

/** A response takes milliseconds. Neither load nor a slow disk delays it by half a minute, and visitors do not wait longer. */
const hungAfterMs = 30_000
/** Three pings: a busy machine pauses for shorter than that. */
const lateAfterMs = 6_000
const pauseMs = { first: 200, max: 10_000 }
const steadyAfterMs = 20_000 // a child that ran this long was healthy: the next pause is short again

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

  async function runOnce(): Promise<void> {
    const startedAt = performance.now()
    try {
      const handle = await start()
      current = handle
      state = 'up'
      if (isStopping) return void handle.stop()
      log.info({ child: name, pid: handle.pid, ms: Math.round(performance.now() - startedAt) }, `${name} is up`)
      settleFirst(handle)
      onUp?.(handle)
      let isHung = false
      const heartbeat = watchHeartbeat({
        ping: handle.ping,
        boundMs: hungAfterMs,
        lateMs: lateAfterMs,
        onLate: isLate => {
          state = isLate ? 'not answering' : 'up'
        },
        onSilent: () => {
          if (isStopping) return
          isHung = true
          log.error({ child: name, pid: handle.pid, silentMs: hungAfterMs }, `${name} does not respond; killing it`)
          killProcess(handle.pid)
        },
      })
      const { code, signal } = await handle.exited
      heartbeat.stop()
      current = null
      state = 'down'
      onDown?.()
      if (!isStopping) {
        log.error({ child: name, code, signal }, `${name} ended; restarting it`)
        onRestart?.(isHung ? 'hung' : signal === null ? 'exit' : 'signal')
      }
    } catch (error) {
      state = 'down'
      log.error({ child: name, error: error instanceof Error ? error.message : String(error) }, `${name} did not start`)
    }
    if (performance.now() - startedAt > steadyAfterMs) waitMs = pauseMs.first
  }

  async function runUntilStopped(): Promise<void> {
    while (!isStopping) {
      await runOnce()
      if (isStopping) break
      await new Promise(resolve => setTimeout(resolve, waitMs))
      waitMs = Math.min(waitMs * 2, pauseMs.max)
    }
  }
  void runUntilStopped()

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

/** SIGKILL also ends a process that SIGSTOP has suspended. ESRCH: it has just ended by itself. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

type HeartbeatOptions = {
  /** Resolves when the other side has responded; never, if it hangs. */
  ping(): Promise<void>
  /** How long the other side may be silent. */
  boundMs: number
  onSilent(): void
  /** After so long without a response, `onLate` is called, and again after the next response. */
  lateMs?: number
  onLate?(isLate: boolean): void
  everyMs?: number
}

/**
 * Detects a child whose event loop hangs. The ping has a channel of its own, so a long query or a slow page does not count as silence.
 * A tick adds at most two intervals: if this process was suspended or the machine slept, the child could not respond either.
 * Timers and `performance.now()` are monotonic, so clock changes do not matter.
 */
export function watchHeartbeat({
  ping,
  boundMs,
  onSilent,
  lateMs = boundMs,
  onLate,
  everyMs = 2_000,
}: HeartbeatOptions): { stop(): void } {
  let silentMs = 0
  let isLate = false
  let isWaiting = false
  let lastTick = performance.now()

  function sendPing(): void {
    isWaiting = true
    ping().then(
      () => {
        isWaiting = false
        silentMs = 0
        setLate(false)
      },
      () => undefined, // a closed channel counts as silence; the exit of the child is handled elsewhere
    )
  }

  function setLate(is: boolean): void {
    if (is === isLate) return
    isLate = is
    onLate?.(is)
  }

  const timer = setInterval(() => {
    const now = performance.now()
    if (isWaiting) silentMs += Math.min(now - lastTick, 2 * everyMs)
    lastTick = now
    if (!isWaiting) return sendPing()
    if (silentMs >= lateMs) setLate(true)
    if (silentMs < boundMs) return
    clearInterval(timer)
    onSilent()
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
