/** Runs a server process, and starts it again when its code was edited. */
import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { isMessage } from './messages.ts'

type Options = {
  name: string
  log: Logger
  /** One is launched in advance: while it waits for `load`, it loads what no edit changes. */
  launch(): ChildProcess
  /** The types of its messages. After `loaded` it waits for `go`, so that its predecessor serves until then, or longer if the code does not load. */
  messages: { loaded: string; ready: string; stopped?: string }
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
  /** Without its spare if that has loaded what was edited. */
  restart(edit?: { isInSpare: boolean }): void
  stop(): Promise<void>
}

type Launched = { child: ChildProcess; exited: Promise<void> }

const killAfterMs = 5_000
/** A process that ends sooner would end again. */
const healthyAfterMs = 5_000

export function runProgram(options: Options): RunningProgram {
  const { name, log, messages } = options
  let current: Launched | null = null
  let next: Launched | null = null
  let spare: Launched | null = null
  let isDue = false
  let isBroken = false
  let isStopping = false
  let settling: Promise<void> | null = null

  function launch(): Launched {
    const child = options.launch()
    const exited = new Promise<void>(resolve => {
      child.on('error', () => resolve())
      child.once('exit', () => resolve())
    })
    return { child, exited }
  }

  async function replace(): Promise<void> {
    const started = spare !== null && !hasEnded(spare) ? spare : launch()
    spare = null
    next = started
    started.child.send({ type: 'load' })
    await whenSaid(started, messages.loaded)
    if (hasEnded(started)) return giveUp(started)
    if (isDue || isStopping) return endNext() // edited meanwhile
    await end()
    if (isStopping) return endNext()
    next = null
    await run(started)
  }

  async function run(started: Launched): Promise<void> {
    const { child, exited } = started
    const begunAt = performance.now()
    current = started
    isBroken = false
    options.onStart(child)
    void exited.then(() => {
      if (current !== started) return
      current = null
      options.onDown()
      log.error({ code: child.exitCode, signal: child.signalCode }, `${name} ended`)
      if (performance.now() - begunAt < healthyAfterMs) giveUp(started)
      else restart()
    })
    child.send({ type: 'go' })
    await whenSaid(started, messages.ready)
    if (current !== started) return
    log.info({ pid: child.pid, ms: Math.round(performance.now() - begunAt) }, `${name} is up`)
    options.onReady(child)
    if (!isStopping) spare = launch()
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
    await ended
    clearTimeout(timer)
  }

  /** An edit during a restart causes one more. */
  async function settle(): Promise<void> {
    while (isDue && !isStopping) {
      isDue = false
      await replace()
    }
    settling = null
  }

  function endSpare(): void {
    spare?.child.kill('SIGKILL')
    spare = null
  }

  function restart({ isInSpare } = { isInSpare: false }): void {
    if (isInSpare) endSpare()
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
      endSpare()
      const { child, exited } = current ?? {}
      await end()
      child?.kill('SIGKILL') // it may still pass on pages
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
