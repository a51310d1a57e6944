/**
 * Notices a record that takes too much CPU time. The digest thread serves all organizations, so one record must not hold it.
 * What counts is CPU time of that thread within one record: a busy, suspended or swapping machine makes no record expensive.
 */
import { type RecordInProgress, readInProgress } from '#digest/record-in-progress.ts'
import type { LogPosition } from '#inbox/read-log.ts'

/**
 * Milliseconds of CPU time. The largest container of log lines that ingest accepts (12 MiB) takes 0.7 s on a small arm64 core, an
 * event some tenths of a millisecond: a record that needs ten seconds has found a pattern that is not linear.
 */
export const recordBudgetMs = 10_000

type Options = {
  record: RecordInProgress
  /** The thread's CPU time up to now, in milliseconds. */
  readCpuMs(): Promise<number>
  /** True for a batch that must be repeated as it was: its records have been processed before. */
  isExempt(): boolean
  budgetMs?: number
  everyMs?: number
  onOverrun(at: LogPosition, cpuMs: number): void
}

export function watchRecordBudget(options: Options): { stop(): void } {
  const { record, readCpuMs, isExempt, budgetMs = recordBudgetMs, everyMs = 1_000, onOverrun } = options
  /** Since when the record is watched. What it used before is not known, so the budget is never counted too strictly. */
  let since: { number: number; cpuMs: number } | null = null
  let isReading = false

  async function look(): Promise<void> {
    const before = readInProgress(record)
    if (before === null || isExempt()) {
      since = null
      return
    }
    const cpuMs = await readCpuMs()
    // Read in between two records, it would belong to neither.
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
    look()
      .catch(() => undefined) // the thread has just ended, which is heard elsewhere
      .finally(() => {
        isReading = false
      })
  }, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
