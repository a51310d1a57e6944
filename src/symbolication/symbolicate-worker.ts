/** Entry of the symbolication thread: a large map takes a tenth of a second and some dozen megabytes that nobody else should wait for. */
import { parentPort, workerData } from 'node:worker_threads'
import { stepThreadBack } from '#lib/timing.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openSymbolicator } from './open-symbolicator.ts'
import type { FromThread, SymbolicateThreadData, ToThread } from './start-symbolicator.ts'

if (!parentPort) throw new Error('symbolicate-worker.ts runs as a thread.')
const port = parentPort
stepThreadBack()
const symbolicator = openSymbolicator(openBlobs(workerData as SymbolicateThreadData))

port.on('message', async ({ id, tasks }: ToThread) => {
  const post = (message: FromThread): void => port.postMessage(message)
  try {
    post({ id, answers: await symbolicator.resolve(tasks) })
  } catch (error) {
    post({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
