/** Entry of the symbolication thread: a large map takes a tenth of a second and some dozen megabytes that nobody else should wait for. */
import { parentPort, workerData } from 'node:worker_threads'
import { stepThreadBack } from '#lib/timing.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openSymbolicator } from './open-symbolicator.ts'
import type { SymbolicateWorkerData, WorkerRequest, WorkerResponse } from './start-symbolicator.ts'

if (!parentPort) throw new Error('symbolicate-worker.ts runs as a thread.')
const port = parentPort
stepThreadBack()
const symbolicator = openSymbolicator(openBlobs(workerData as SymbolicateWorkerData))

port.on('message', async ({ id, tasks }: WorkerRequest) => {
  const post = (message: WorkerResponse): void => port.postMessage(message)
  try {
    post({ id, answers: await symbolicator.resolve(tasks) })
  } catch (error) {
    post({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
