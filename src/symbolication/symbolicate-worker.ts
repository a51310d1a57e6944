/** Entry point of the symbolication thread. A large map blocks its thread for a tenth of a second. */
import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '#lib/timing.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openSymbolicator } from './open-symbolicator.ts'
import type { SymbolicateWorkerData, WorkerRequest, WorkerResponse } from './start-symbolicator.ts'

if (!parentPort) throw new Error('symbolicate-worker.ts must run as a worker thread.')
const port = parentPort
lowerThreadPriority()
const symbolicator = openSymbolicator(openBlobs(workerData as SymbolicateWorkerData))

port.on('message', async ({ id, tasks }: WorkerRequest) => {
  const post = (message: WorkerResponse): void => port.postMessage(message)
  try {
    post({ id, results: await symbolicator.resolve(tasks) })
  } catch (error) {
    post({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
