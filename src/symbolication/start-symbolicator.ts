import { Worker } from 'node:worker_threads'
import type { BlobsLocation } from '#store/blobs/open-blobs.ts'
import type { MapResult } from './mapped-frame.ts'
import type { MapTask, Symbolicator } from './open-symbolicator.ts'

const entry = new URL('./symbolicate-worker.ts', import.meta.url)
const idleMs = 5 * 60_000
/** The largest maps take seconds; after a minute without a response the thread hangs. */
const stuckAfterMs = 60_000
/** Fits the largest map that limits.ts allows, decoded, plus the caches. */
const heapMb = 640

type PendingRequest = { resolve(results: MapResult[][]): void; reject(error: Error): void; timer: NodeJS.Timeout }
type Running = { worker: Worker; pending: Map<number, PendingRequest> }

/** The thread ended before it responded: one of the maps was too much for it. */
const threadEnded = 'symbolicate_thread_ended'

/**
 * Runs a symbolicator in a worker thread. The thread starts with the first request and ends when it is idle, so that an
 * installation without source maps does not pay for it.
 */
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
    const life: Running = { worker, pending: new Map() }
    worker.on('message', (message: WorkerResponse) => settle(life, message))
    // The exit event handles it; without this listener an error would end the process.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (running === life) running = null
      for (const { reject, timer } of life.pending.values()) {
        clearTimeout(timer)
        reject(Object.assign(new Error('The symbolication thread ended before it responded.'), { code: threadEnded }))
      }
    })
    worker.unref()
    return life
  }

  function settle({ pending, worker }: Running, message: WorkerResponse): void {
    const request = pending.get(message.id)
    if (request === undefined) return
    pending.delete(message.id)
    clearTimeout(request.timer)
    if ('results' in message) request.resolve(message.results)
    else request.reject(new Error(message.error))
    if (pending.size > 0) return
    worker.unref()
    clearTimeout(idle)
    idle = setTimeout(() => void worker.terminate(), idleMs)
    idle.unref()
  }

  return {
    resolve: tasks => {
      clearTimeout(idle)
      running ??= start()
      const { worker, pending } = running
      const id = ++lastId
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject, timer: setTimeout(() => void worker.terminate(), stuckAfterMs) })
        // A busy thread keeps the process alive, an idle one does not.
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
export type WorkerResponse = { id: number } & ({ results: MapResult[][] } | { error: string })
