/**
 * Runs the digest thread and starts it again when it ends. A batch that was being processed then is handed back as suspect: the record
 * that took too much CPU time is set aside, or the batch is halved until the record at fault stands alone and is set aside.
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

type DigestThread = { begin(): void; refusals(outcomes: Outcome[]): void; stop(): Promise<void> }
type Options = {
  data: Omit<DigestThreadData, 'suspect' | 'inProgress'>
  memory: MemoryPlan
  log: Logger
  onMessage(message: FromDigest): void
  onRestart(reason: RestartReason): void
  /** The file of the thread, and how much CPU time it may use for a record. */
  entry?: URL
  budgetMs?: number
}

export function startDigestThread(options: Options): DigestThread {
  const { data, memory, log, onMessage, onRestart, entry = digestWorker, budgetMs = recordBudgetMs } = options
  let worker: Worker | null = null
  let isStopping = false
  let understanding: { batch: number; isPlanned: boolean } | null = null
  let answerPing: () => void = () => undefined
  let hasBegun = false
  let watches: { stop(): void }[] = []
  let settleStopped: () => void = () => undefined
  const stopped = new Promise<void>(resolve => {
    settleStopped = resolve
  })

  function hear(message: FromDigest): void {
    if (message.type === 'understanding') understanding = message
    else if (message.type === 'writing') understanding = null
    else if (message.type === 'stopped') settleStopped()
    else if (message.type === 'pong') answerPing()
    onMessage(message)
  }

  const post = (message: ToDigest): void => worker?.postMessage(message)

  if (!memory.isTight) setFlagsFromString(heapGrowth)

  function start(suspect: Suspect | null): void {
    const inProgress = createRecordInProgress()
    const begun = new Worker(entry, {
      workerData: { ...data, suspect, inProgress } satisfies DigestThreadData,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: memory.digestHeapMb, maxYoungGenerationSizeMb: 32 },
    })
    worker = begun
    let reason: RestartReason = 'exit'
    let expensive: Suspect | null = null
    begun.on('message', hear)
    const heartbeat = watchHeartbeat({
      boundMs: stuckAfterMs,
      ping: () =>
        new Promise(resolve => {
          answerPing = resolve
          post({ type: 'ping' })
        }),
      onSilent: () => {
        reason = 'hung'
        log.error(
          { batch: understanding?.batch, silentMs: stuckAfterMs },
          'the digest thread does not answer; ending it',
        )
        void begun.terminate()
      },
    })
    const budget = watchRecordBudget({
      record: inProgress,
      readCpuMs: () => readCpuMs(begun),
      isExempt: () => understanding === null || understanding.isPlanned,
      budgetMs,
      onOverrun: (record, cpuMs) => {
        if (understanding === null) return
        const { batch } = understanding
        reason = 'record_timeout'
        expensive = { batch, record, why: 'too_expensive' }
        log.error(
          { batch, ...record, cpuMs: Math.round(cpuMs), budgetMs },
          'record takes too much CPU time; setting it aside',
        )
        void begun.terminate()
      },
    })
    watches = [heartbeat, budget]
    if (hasBegun) post({ type: 'begin' })
    begun.on('error', error => log.error({ error: error.stack ?? error.message }, 'the digest thread failed'))
    begun.on('exit', code => {
      for (const watch of watches) watch.stop()
      if (isStopping) return settleStopped()
      onRestart(reason)
      const next = expensive ?? findSuspect(inProgress)
      understanding = null
      log.error({ code, suspectBatch: next?.batch ?? null }, 'the digest thread ended; starting it again')
      setTimeout(() => (isStopping ? settleStopped() : start(next)), restartMs)
    })
  }

  function findSuspect(inProgress: RecordInProgress): Suspect | null {
    if (understanding === null) return null
    const record = readInProgress(inProgress)?.at ?? null
    return { batch: understanding.batch, record, why: 'ended_thread' }
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
      for (const watch of watches) watch.stop()
      post({ type: 'stop' })
      await Promise.race([stopped, new Promise(resolve => setTimeout(resolve, stopPatienceMs))])
      await worker?.terminate()
    },
  }
}

async function readCpuMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1_000
}
