/**
 * One line a refusal, and no more than one every few seconds for the same refusal: the first is written at once, the rest
 * are added up, so a flood of bad requests cannot fill the disk through the log.
 */
import type { IngestLog } from './ports.ts'

export type RefusalLine = { projectId: number; status: number; reason: string; door: string; detail: string }
export type RefusalLog = { note(line: RefusalLine): void; close(): void }

const windowMs = 5000
/** More different refusals than this in one window are added up as one. */
const maxKinds = 500

export function createRefusalLog(log: IngestLog): RefusalLog {
  const waiting = new Map<string, { line: RefusalLine; count: number }>()
  let timer: NodeJS.Timeout | null = null

  function note(line: RefusalLine) {
    timer ??= setTimeout(flush, windowMs).unref()
    const key = `${line.projectId} ${line.status} ${line.reason} ${line.door}`
    const known = waiting.get(key)
    if (known !== undefined) known.count++
    else if (waiting.size < maxKinds) {
      waiting.set(key, { line, count: 0 })
      log.warn({ ...line, count: 1 }, 'refused')
    } else countOther(line)
  }

  function countOther({ status }: RefusalLine) {
    const other = waiting.get('other')
    if (other !== undefined) other.count++
    else
      waiting.set('other', {
        line: { projectId: 0, status, reason: 'other', door: 'any', detail: 'many different refusals' },
        count: 1,
      })
  }

  function flush() {
    timer = null
    for (const { line, count } of waiting.values()) if (count > 0) log.warn({ ...line, count }, 'refused again')
    waiting.clear()
  }

  return {
    note,
    close() {
      if (timer !== null) clearTimeout(timer)
      flush()
    },
  }
}
