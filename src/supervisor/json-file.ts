import { rename, writeFile } from 'node:fs/promises'

export type JsonFile<Value> = {
  write(value: Value): void
  /** Resolves when the newest value is written, or could not be. */
  settled(): Promise<void>
}

/** Writes one value at a time and skips those that a newer one replaced. Readers see a whole file, of before or after. */
export function createJsonFile<Value>(path: string): JsonFile<Value> {
  let next: Value | null = null
  let writing: Promise<void> | null = null
  async function writePending(): Promise<void> {
    while (next !== null) {
      const text = JSON.stringify(next)
      next = null
      try {
        await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
        await rename(`${path}.new`, path)
      } catch {
        // A full disk is reported elsewhere; the next change tries again.
      }
    }
    writing = null
  }
  return {
    write: value => {
      next = value
      writing ??= writePending()
    },
    settled: async () => void (await writing),
  }
}
