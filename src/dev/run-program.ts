/** Runs a server process, and starts it again when its code was edited. */
import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { isMessage } from './messages.ts'

type Options = {
  name: string
  log: Logger
  launch(): ChildProcess
  /** The types of its messages. After `loaded` it waits for `go`, so that its predecessor serves until then, or longer if the code does not load. */
  messages: { loaded?: string; ready: string; stopped?: string }
  /** It is the current one, but not ready. */
  onStart(child: ChildProcess): void
  onReady(child: ChildProcess): void
  onDown(): void
  /** It has ended by itself, and only an edit can help. */
  onBroken(): void
}

export type RunningProgram = {
  /** It waits for an edit, either down or with the code before the last edit. */
  readonly isBroken: boolean
  restart(): void
  stop(): Promise<void>
}

type Launched = { child: ChildProcess; startedAt: number; exited: Promise<void> }

const killAfterMs = 5_000
/** A process that ends sooner would end again. */
const healthyAfterMs = 5_000

export function runProgram(options: Options): RunningProgram {
  const { name, log, messages } = options
  let current: Launched | null = null
  let next: Launched | null = null
  let isDue = false
  let isBroken = false
  let isStopping = false
  let settling: Promise<void> | null = null

  function launch(): Launched {
    const startedAt = performance.now()
    const child = options.launch()
    const exited = new Promise<void>(resolve => {
      child.once('error', () => resolve())
      child.once('exit', () => resolve())
    })
    return { child, startedAt, exited }
  }

  async function replace(): Promise<void> {
    if (messages.loaded !== undefined) {
      next = launch()
      await whenSaid(next, messages.loaded)
    }
    if (next !== null && hasEnded(next)) return giveUp(next)
    if (isDue || isStopping) return endNext() // edited meanwhile
    await end()
    if (isStopping) return endNext()
    const started = next ?? launch()
    next = null
    await run(started)
  }

  async function run(started: Launched): Promise<void> {
    const { child, startedAt, exited } = started
    current = started
    isBroken = false
    options.onStart(child)
    void exited.then(() => {
      if (current !== started) return
      current = null
      options.onDown()
      log.error({ code: child.exitCode, signal: child.signalCode }, `${name} ended`)
      if (performance.now() - startedAt < healthyAfterMs) giveUp(started)
      else restart()
    })
    child.send({ type: 'go' })
    await whenSaid(started, messages.ready)
    if (current !== started) return
    log.info({ pid: child.pid, ms: Math.round(performance.now() - startedAt) }, `${name} is up`)
    options.onReady(child)
  }

  function giveUp(ended: Launched): void {
    if (ended === next) next = null
    isBroken = true
    log.error(
      current === null ? `${name} waits for an edit` : `${name} runs as before the edit, and waits for the next`,
    )
    if (current === null) options.onBroken()
  }

  function endNext(): void {
    next?.child.kill('SIGKILL') // it has not begun
    next = null
  }

  async function end(): Promise<void> {
    const ending = current
    if (ending === null) return
    current = null
    options.onDown()
    const ended = messages.stopped === undefined ? ending.exited : whenSaid(ending, messages.stopped)
    ending.child.kill('SIGTERM')
    const timer = setTimeout(() => ending.child.kill('SIGKILL'), killAfterMs)
    void ending.exited.then(() => clearTimeout(timer))
    await ended
  }

  /** An edit during a restart causes one more. */
  async function settle(): Promise<void> {
    while (isDue && !isStopping) {
      isDue = false
      await replace()
    }
    settling = null
  }

  function restart(): void {
    isDue = true
    settling ??= settle()
  }
  restart()

  return {
    get isBroken() {
      return isBroken
    },
    restart,
    stop: async () => {
      isStopping = true
      endNext()
      const { exited } = current ?? {}
      await end()
      await Promise.all([exited, settling])
    },
  }
}

/** Resolves also when it ends. */
function whenSaid({ child, exited }: Launched, type: string): Promise<void> {
  const said = new Promise<void>(resolve => {
    child.on('message', message => {
      if (isMessage(message) && message.type === type) resolve()
    })
  })
  return Promise.race([said, exited])
}

const hasEnded = ({ child }: Launched): boolean => child.exitCode !== null || child.signalCode !== null
