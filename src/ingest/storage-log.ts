import type { IngestLog } from './ports.ts'

export type StorageLog = { failed(error: unknown): void; stored(): void }

/** Logs when the inbox stops storing events and when it works again, however many requests fail in between. */
export function createStorageLog(log: IngestLog): StorageLog {
  let failures = 0
  return {
    failed: error => {
      failures += 1
      if (failures > 1) return
      const reason = error instanceof Error ? error.message : String(error)
      log.error({ reason }, 'events cannot be stored; responding with 503 until they can')
    },
    stored: () => {
      if (failures === 0) return
      log.info({ failures }, 'events can be stored again')
      failures = 0
    },
  }
}
