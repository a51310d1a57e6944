/** Runs recheck in a thread: it is CPU alone, and a thread for each core halves the time. The build in plain JavaScript starts no other process. */
import { parentPort } from 'node:worker_threads'

process.env.RECHECK_BACKEND = 'pure'
process.env.RECHECK_SYNC_BACKEND = 'pure'
const { checkSync } = await import('recheck')

/** Milliseconds for one pattern; those of the sources take a tenth of it on a quiet machine. Beyond it the verdict is unknown. */
const timeout = 60_000

parentPort.on('message', ({ source, flags }) => {
  const { status, complexity, error } = checkSync(source, flags, { timeout })
  parentPort.postMessage({ verdict: status === 'safe' ? 'safe' : `${status}: ${complexity?.summary ?? error?.kind}` })
})
