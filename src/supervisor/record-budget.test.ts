import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginRecord, createRecordInProgress, endRecord } from '#digest/record-in-progress.ts'
import { watchRecordBudget } from './record-budget.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A thread that uses `cores` of a core. */
function watch(cores: number, isExempt = false) {
  const record = createRecordInProgress()
  const start = Date.now()
  const onOverrun = vi.fn()
  const { stop } = watchRecordBudget({
    record,
    readCpuMs: async () => (Date.now() - start) * cores,
    isExempt: () => isExempt,
    budgetMs: 10_000,
    onOverrun,
  })
  return { record, onOverrun, stop }
}

test('a record that exceeds its CPU budget is reported once', async () => {
  const { record, onOverrun } = watch(1)
  beginRecord(record, { segment: 3, position: 4_096 })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onOverrun).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onOverrun).toHaveBeenCalledTimes(1)
  expect(onOverrun).toHaveBeenCalledWith({ segment: 3, position: 4_096 }, expect.any(Number))
})

test('a record that waits for a busy machine uses no budget', async () => {
  const { record, onOverrun, stop } = watch(0.01)
  beginRecord(record, { segment: 1, position: 0 })
  await vi.advanceTimersByTimeAsync(600_000)
  expect(onOverrun).not.toHaveBeenCalled()
  stop()
})

test('each record of a busy thread has a budget of its own', async () => {
  const { record, onOverrun, stop } = watch(1)
  for (let position = 0; position < 100; position++) {
    beginRecord(record, { segment: 1, position })
    await vi.advanceTimersByTimeAsync(4_500)
    endRecord(record)
  }
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onOverrun).not.toHaveBeenCalled()
  stop()
})

test('a batch that must be repeated exactly has no budget', async () => {
  const { record, onOverrun, stop } = watch(1, true)
  beginRecord(record, { segment: 1, position: 0 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onOverrun).not.toHaveBeenCalled()
  stop()
})
