/**
 * Runs the digest thread and restarts it when it ends. The next thread gets the batch in progress as suspect: a record that took
 * too much CPU time becomes a dead letter at once; otherwise the batch is halved until the record that ends the thread is alone.
 */
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Suspect } from '#digest/loop-options.ts'
import { createRecordInProgress, type RecordInProgress, readInProgress } from '#digest/record-in-progress.ts'
import type { DigestThreadData, FromDigest, ToDigest } from '#digest/run-digest-thread.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { RestartReason } from './keep-alive.ts'
import { watchHeartbeat } from './keep-alive.ts'
import type { MemoryPlan } from './memory-plan.ts'
import { recordBudgetMs, watchRecordBudget } from './record-budget.ts'

const digestWorker = new URL('../digest/digest-worker.ts', import.meta.url)
/** How long the thread's event loop may be blocked. A batch takes tenths of a second; a minute is an endless loop. */
const stuckAfterMs = 60_000
const restartMs = 500
/**
 * By default V8 collects a heap with such a small limit each time it has grown by 40 %, which is less than a batch: that took a
 * sixth of the time per event. The limit itself stays, against what a hostile batch may expand to.
 */
const heapGrowth = '--heap-growing-percent=200'
/** A batch that is interrupted is repeated after the next start. */
const stopTimeoutMs = 5_000

export type DigestThread = {
  begin(): void
  refusals(outcomes: Outcome[]): void
  /** Whether it passes on the log lines that it commits. */
  tail(isOn: boolean): void
  stop(): Promise<void>
}
type Options = {
  data: Omit<DigestThreadData, 'suspect' | 'inProgress'>
  memory: MemoryPlan
  log: Logger
  onMessage(message: FromDigest): void
  onRestart(reason: RestartReason): void
  /** Tests replace the thread's entry file and the CPU time that a record may use. */
  entry?: URL
  budgetMs?: number
}

export function startDigestThread(options: Options): DigestThread {
  const { data, memory, log, onMessage, onRestart, entry = digestWorker, budgetMs = recordBudgetMs } = options
  let worker: Worker | null = null
  let isStopping = false
  let processing: { batch: number; isPlanned: boolean } | null = null
  let resolvePing: () => void = () => undefined
  let hasBegun = false
  let isTailed = false
  let watches: { stop(): void }[] = []
  let settleStopped: () => void = () => undefined
  const stopped = new Promise<void>(resolve => {
    settleStopped = resolve
  })

  function handleMessage(message: FromDigest): void {
    if (message.type === 'processing') processing = message
    else if (message.type === 'writing') processing = null
    else if (message.type === 'stopped') settleStopped()
    else if (message.type === 'pong') resolvePing()
    onMessage(message)
  }

  const post = (message: ToDigest): void => worker?.postMessage(message)

  if (!memory.isTight) setFlagsFromString(heapGrowth)

  function start(suspect: Suspect | null): void {
    const inProgress = createRecordInProgress()
    const thread = new Worker(entry, {
      workerData: { ...data, suspect, inProgress } satisfies DigestThreadData,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: memory.digestHeapMb, maxYoungGenerationSizeMb: 32 },
    })
    worker = thread
    let reason: RestartReason = 'exit'
    let expensive: Suspect | null = null
    thread.on('message', handleMessage)
    const heartbeat = watchHeartbeat({
      boundMs: stuckAfterMs,
      ping: () =>
        new Promise(resolve => {
          resolvePing = resolve
          post({ type: 'ping' })
        }),
      onSilent: () => {
        reason = 'hung'
        log.error({ batch: processing?.batch, silentMs: stuckAfterMs }, 'digest thread hangs; terminating it')
        void thread.terminate()
      },
    })
    const budget = watchRecordBudget({
      record: inProgress,
      readCpuMs: () => readCpuMs(thread),
      isExempt: () => processing === null || processing.isPlanned,
      budgetMs,
      onOverrun: (record, cpuMs) => {
        if (processing === null) return
        const { batch } = processing
        reason = 'record_timeout'
        expensive = { batch, record, why: 'too_expensive' }
        log.error(
          { batch, ...record, cpuMs: Math.round(cpuMs), budgetMs },
          'record exceeds its CPU budget; moving it to the dead letters',
        )
        void thread.terminate()
      },
    })
    watches = [heartbeat, budget]
    if (hasBegun) post({ type: 'begin' })
    if (isTailed) post({ type: 'tail', isOn: true })
    thread.on('error', error => log.error({ error: error.stack ?? error.message }, 'digest thread failed'))
    thread.on('exit', code => {
      for (const watch of watches) watch.stop()
      if (isStopping) return settleStopped()
      onRestart(reason)
      const next = expensive ?? findSuspect(inProgress)
      processing = null
      log.error({ code, suspectBatch: next?.batch ?? null }, 'digest thread ended; restarting it')
      setTimeout(() => (isStopping ? settleStopped() : start(next)), restartMs)
    })
  }

  function findSuspect(inProgress: RecordInProgress): Suspect | null {
    if (processing === null) return null
    const record = readInProgress(inProgress)?.at ?? null
    return { batch: processing.batch, record, why: 'ended_thread' }
  }

  start(null)

  return {
    begin: () => {
      hasBegun = true
      post({ type: 'begin' })
    },
    refusals: outcomes => post({ type: 'refusals', outcomes }),
    tail: isOn => {
      isTailed = isOn
      post({ type: 'tail', isOn })
    },
    stop: async () => {
      isStopping = true
      for (const watch of watches) watch.stop()
      post({ type: 'stop' })
      await Promise.race([stopped, new Promise(resolve => setTimeout(resolve, stopTimeoutMs))])
      await worker?.terminate()
    },
  }
}

async function readCpuMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1_000
}
