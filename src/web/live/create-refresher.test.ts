import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRefresher } from './create-refresher.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const watch = (options: { delayMs?: number; pauseMs?: number } = {}) => {
  const refresh = vi.fn()
  return { refresh, ...createRefresher({ refresh, delayMs: 0, pauseMs: 0, ...options }) }
}

test('news during a refresh cause one more, after it', () => {
  const { refresh, ask, setRunning } = watch()
  for (let second = 0; second < 10; second++) {
    ask()
    vi.advanceTimersByTime(1_000)
  }
  expect(refresh).toHaveBeenCalledTimes(1)
  setRunning(false)
  vi.advanceTimersByTime(60_000)
  expect(refresh).toHaveBeenCalledTimes(2)
  setRunning(false)
  vi.advanceTimersByTime(60_000)
  expect(refresh).toHaveBeenCalledTimes(2)
})

test('refreshes begin after the delay, and not more often than the pause allows', () => {
  const { refresh, ask, setRunning } = watch({ delayMs: 1_000, pauseMs: 5_000 })
  ask()
  vi.advanceTimersByTime(999)
  expect(refresh).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(refresh).toHaveBeenCalledTimes(1)
  setRunning(false)
  ask()
  vi.advanceTimersByTime(4_999)
  expect(refresh).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(refresh).toHaveBeenCalledTimes(2)
})

test('a page that was left is not refreshed', () => {
  const { refresh, ask, stop } = watch({ delayMs: 3_000 })
  ask()
  stop()
  vi.advanceTimersByTime(60_000)
  expect(refresh).not.toHaveBeenCalled()
})
