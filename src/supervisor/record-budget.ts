/**
 * Detects a record that takes too much CPU time: the digest thread serves all organizations, so one record must not block it.
 * Counts the thread's CPU time, not wall-clock time, which a busy, suspended or swapping machine would inflate.
 */
import { type RecordInProgress, readInProgress } from '#digest/record-in-progress.ts'
import type { LogPosition } from '#inbox/read-log.ts'

/**
 * The largest log container that ingest accepts (12 MiB) takes 0.7 s on a small arm64 core, an event some tenths of a millisecond.
 * A record that needs ten seconds has hit code that is not linear.
 */
export const recordBudgetMs = 10_000

type Options = {
  record: RecordInProgress
  /** The thread's CPU time so far. */
  readCpuMs(): Promise<number>
  /** True for a batch that must be repeated exactly: its records were processed before. */
  isExempt(): boolean
  budgetMs?: number
  everyMs?: number
  onOverrun(at: LogPosition, cpuMs: number): void
}

export function watchRecordBudget(options: Options): { stop(): void } {
  const { record, readCpuMs, isExempt, budgetMs = recordBudgetMs, everyMs = 1_000, onOverrun } = options
  /** The first observation of the current record. CPU time used before it is not counted, so the budget is never too strict. */
  let since: { number: number; cpuMs: number } | null = null
  let isReading = false

  async function check(): Promise<void> {
    const before = readInProgress(record)
    if (before === null || isExempt()) {
      since = null
      return
    }
    const cpuMs = await readCpuMs()
    // A CPU time read between two records belongs to neither.
    if (readInProgress(record)?.number !== before.number) since = null
    else if (since?.number !== before.number) since = { number: before.number, cpuMs }
    else if (cpuMs - since.cpuMs > budgetMs) {
      clearInterval(timer)
      onOverrun(before.at, cpuMs - since.cpuMs)
    }
  }

  const timer = setInterval(() => {
    if (isReading) return
    isReading = true
    check()
      .catch(() => undefined) // the thread has just ended, which is handled elsewhere
      .finally(() => {
        isReading = false
      })
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
