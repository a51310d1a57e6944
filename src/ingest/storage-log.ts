import type { IngestLog } from './ports.ts'

/* One line when the inbox stops taking what arrives and one when it takes it again, however many requests fail between. */

export type StorageLog = { failed(error: unknown): void; stored(): void }

export function createStorageLog(log: IngestLog): StorageLog {
  let failures = 0
  return {
    failed: error => {
      failures += 1
      if (failures > 1) return
      const reason = error instanceof Error ? error.message : String(error)
      log.error({ reason }, 'events cannot be stored; they are answered with an error until they can')
    },
    stored: () => {
      if (failures === 0) return
      log.info({ failures }, 'events are stored again')
      failures = 0
    },
  }
}
