/** Entry of the digest thread. */
import { understandRecord } from './process-record.ts'
import { runDigestThread } from './run-digest-thread.ts'

await runDigestThread(understandRecord)
