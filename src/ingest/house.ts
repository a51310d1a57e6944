/** What all requests of a process share. */

import type { HeldMemory } from './body-sink.ts'
import type { AddressReader } from './client-address.ts'
import type { IngestOptions } from './ports.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { RefusalLog } from './refusal-log.ts'
import type { SlowWatch } from './slow-watch.ts'
import type { StorageLog } from './storage-log.ts'

export type House = Omit<IngestOptions, 'config' | 'timeouts'> & {
  limiter: RateLimiter
  refusalLog: RefusalLog
  storageLog: StorageLog
  readAddress: AddressReader
  memory: HeldMemory
  watch: SlowWatch
  /** The host of HYDRANT_URL, as a DSN would name it. */
  publicHost: string
}
