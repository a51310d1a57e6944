/** Starts a child and starts it again whenever it ends, with a pause that grows while it keeps failing. */
import type { Logger } from 'pino'

export type Child = {
  pid: number
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  stop(): Promise<void>
}
export type KeptChild<Handle extends Child> = {
  readonly current: Handle | null
  /** Resolves with the first life, so that start-up can wait for it. */
  readonly firstUp: Promise<Handle>
  stop(): Promise<void>
}

type Options<Handle extends Child> = {
  name: string
  start(): Promise<Handle>
  log: Logger
  onUp?(handle: Handle): void
  onDown?(): void
}

const pauseMs = { first: 200, most: 10_000 }
const steadyAfterMs = 20_000 // a life this long counts as healthy: the next pause is short again

export function keepAlive<Handle extends Child>({
  name,
  start,
  log,
  onUp,
  onDown,
}: Options<Handle>): KeptChild<Handle> {
  let current: Handle | null = null
  let isStopping = false
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
      if (isStopping) return void handle.stop()
      log.info({ child: name, pid: handle.pid, ms: Math.round(performance.now() - begun) }, `${name} is up`)
      settleFirst(handle)
      onUp?.(handle)
      const { code, signal } = await handle.exited
      current = null
      onDown?.()
      if (!isStopping) log.error({ child: name, code, signal }, `${name} ended; starting it again`)
    } catch (error) {
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
    firstUp,
    stop: async () => {
      isStopping = true
      await current?.stop()
    },
  }
}
