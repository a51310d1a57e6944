/**
 * A symbolicator in a thread of its own. The thread starts with the first question and ends when none has come for a while, so
 * that an installation without source maps does not pay for it.
 */
import { Worker } from 'node:worker_threads'
import type { BlobsLocation } from '#store/blobs/open-blobs.ts'
import type { MapResult } from './mapped-frame.ts'
import type { MapTask, Symbolicator } from './open-symbolicator.ts'

const entry = new URL('./symbolicate-worker.ts', import.meta.url)
const idleMs = 5 * 60_000
/** The largest maps take seconds; a minute without an answer is a loop. */
const stuckAfterMs = 60_000
/** The largest map that limits.ts lets in, decoded, beside what is remembered of others. */
const heapMb = 640

type Asked = { resolve(answers: MapResult[][]): void; reject(error: Error): void; timer: NodeJS.Timeout }
type Running = { worker: Worker; asked: Map<number, Asked> }

/** The thread ended before it answered: the map, or one of its neighbors, is more than it can take. */
const threadEnded = 'symbolicate_thread_ended'

export function startSymbolicator({ dataDir, blobsUrl }: BlobsLocation): Symbolicator {
  let running: Running | null = null
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): Running {
    const worker = new Worker(entry, {
      workerData: { dataDir, blobsUrl } satisfies SymbolicateWorkerData,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16 },
    })
    const life: Running = { worker, asked: new Map() }
    worker.on('message', (message: WorkerResponse) => answer(life, message))
    // Its end says all; without a listener the error would end the process.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (running === life) running = null
      for (const { reject, timer } of life.asked.values()) {
        clearTimeout(timer)
        reject(Object.assign(new Error('the symbolication thread ended'), { code: threadEnded }))
      }
    })
    worker.unref()
    return life
  }

  function answer({ asked, worker }: Running, message: WorkerResponse): void {
    const query = asked.get(message.id)
    if (query === undefined) return
    asked.delete(message.id)
    clearTimeout(query.timer)
    if ('answers' in message) query.resolve(message.answers)
    else query.reject(new Error(message.error))
    if (asked.size > 0) return
    worker.unref()
    clearTimeout(idle)
    idle = setTimeout(() => void worker.terminate(), idleMs)
    idle.unref()
  }

  return {
    resolve: tasks => {
      clearTimeout(idle)
      running ??= start()
      const { worker, asked } = running
      const id = ++lastId
      return new Promise((resolve, reject) => {
        asked.set(id, { resolve, reject, timer: setTimeout(() => void worker.terminate(), stuckAfterMs) })
        // A thread that owes an answer keeps the process alive, an idle one does not.
        worker.ref()
        worker.postMessage({ id, tasks } satisfies WorkerRequest)
      })
    },
    close: async () => {
      clearTimeout(idle)
      await running?.worker.terminate()
    },
  }
}

export const isThreadEnd = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === threadEnded

export type SymbolicateWorkerData = BlobsLocation
export type WorkerRequest = { id: number; tasks: MapTask[] }
export type WorkerResponse = { id: number } & ({ answers: MapResult[][] } | { error: string })
