/**
 * Runs the digest thread and starts it again when it dies. A batch that killed the thread while it was being understood is
 * handed back as suspect: it is halved until the record at fault stands alone and is set aside.
 */
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { DigestThreadData, FromDigest, ToDigest } from '#digest/loop/worker-messages.ts'
import type { Outcome } from '#lib/outcome.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { RestartReason } from './keep-alive.ts'
import type { MemoryPlan } from './memory-plan.ts'

const entry = new URL('../digest/loop/digest-worker.ts', import.meta.url)
/** Without an answer of its event loop: a batch takes it tenths of a second, a minute is an endless loop. */
const stuckAfterMs = 60_000
const restartMs = 500
/**
 * Left alone, V8 looks through a heap with so small a bound each time it has grown by four tenths, which is less than a batch: a
 * sixth of the time that an event took went into that. The bound itself stays, against what a hostile batch may unfold to.
 */
const heapGrowth = '--heap-growing-percent=200'
/** A batch that is cut off is finished after the next start. */
const stopPatienceMs = 5_000

export type DigestThread = { begin(): void; refusals(outcomes: Outcome[]): void; stop(): Promise<void> }
type Options = {
  data: Omit<DigestThreadData, 'suspectBatch'>
  memory: MemoryPlan
  log: Logger
  onMessage(message: FromDigest): void
  onRestart(reason: RestartReason): void
}

export function startDigestThread({ data, memory, log, onMessage, onRestart }: Options): DigestThread {
  let worker: Worker | null = null
  let isStopping = false
  let understanding: number | null = null
  let isHung = false
  let answerPing: () => void = () => undefined
  let hasBegun = false
  let heartbeat: ReturnType<typeof watchHeartbeat> | null = null
  let settleStopped: () => void = () => undefined
  const stopped = new Promise<void>(resolve => {
    settleStopped = resolve
  })

  function hear(message: FromDigest): void {
    if (message.type === 'understanding') understanding = message.batch
    else if (message.type === 'writing') understanding = null
    else if (message.type === 'stopped') settleStopped()
    else if (message.type === 'pong') answerPing()
    onMessage(message)
  }

  const post = (message: ToDigest): void => worker?.postMessage(message)

  if (!memory.isTight) setFlagsFromString(heapGrowth)

  function start(suspectBatch: number | null): void {
    worker = new Worker(entry, {
      workerData: { ...data, suspectBatch } satisfies DigestThreadData,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: memory.digestHeapMb, maxYoungGenerationSizeMb: 32 },
    })
    worker.on('message', hear)
    const begun = worker
    heartbeat = watchHeartbeat({
      boundMs: stuckAfterMs,
      ping: () =>
        new Promise(resolve => {
          answerPing = resolve
          post({ type: 'ping' })
        }),
      onSilent: () => {
        isHung = true
        log.error({ batch: understanding, silentMs: stuckAfterMs }, 'the digest thread does not answer; ending it')
        void begun.terminate()
      },
    })
    if (hasBegun) post({ type: 'begin' })
    worker.on('error', error => log.error({ error: error.stack ?? error.message }, 'the digest thread failed'))
    worker.on('exit', code => {
      heartbeat?.stop()
      if (isStopping) return settleStopped()
      onRestart(isHung ? 'hung' : 'exit')
      isHung = false
      const suspect = understanding
      understanding = null
      log.error({ code, suspectBatch: suspect }, 'the digest thread ended; starting it again')
      setTimeout(() => (isStopping ? settleStopped() : start(suspect)), restartMs)
    })
  }

  start(null)

  return {
    begin: () => {
      hasBegun = true
      post({ type: 'begin' })
    },
    refusals: outcomes => post({ type: 'refusals', outcomes }),
    stop: async () => {
      isStopping = true
      heartbeat?.stop()
      post({ type: 'stop' })
      await Promise.race([stopped, new Promise(resolve => setTimeout(resolve, stopPatienceMs))])
      await worker?.terminate()
    },
  }
}
