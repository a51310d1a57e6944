/** Entry of the digest thread. */
import { processRecord } from './process-record.ts'
import { runDigestThread } from './run-digest-thread.ts'

await runDigestThread(processRecord)
