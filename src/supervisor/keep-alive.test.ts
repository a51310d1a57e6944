import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAlive, watchHeartbeat } from './keep-alive.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const watch = (ping: () => Promise<void>) => {
  const onSilent = vi.fn()
  const { stop } = watchHeartbeat({ ping, boundMs: 30_000, everyMs: 2_000, onSilent })
  return { onSilent, stop }
}

test('a child that responds is left alone', async () => {
  const { onSilent, stop } = watch(() => Promise.resolve())
  await vi.advanceTimersByTimeAsync(600_000)
  expect(onSilent).not.toHaveBeenCalled()
  stop()
})

test('a child that does not respond is reported once, after the bound', async () => {
  const { onSilent } = watch(() => new Promise(() => undefined))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(onSilent).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onSilent).toHaveBeenCalledTimes(1)
})

test('a late response within the bound counts', async () => {
  const { onSilent, stop } = watch(() => new Promise(resolve => setTimeout(resolve, 25_000)))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(onSilent).not.toHaveBeenCalled()
  stop()
})

test('time in which this process or the machine was suspended does not count', async () => {
  let respond = () => {}
  const { onSilent, stop } = watch(() => new Promise(resolve => (respond = resolve)))
  await vi.advanceTimersByTimeAsync(4_000)
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now + 3_600_000)
  await vi.advanceTimersByTimeAsync(2_000)
  vi.mocked(performance.now).mockRestore()
  respond()
  await vi.advanceTimersByTimeAsync(0)
  expect(onSilent).not.toHaveBeenCalled()
  stop()
})

test('a child that misses three pings is not up until it responds again', async () => {
  let respond = () => {}
  const child = {
    pid: process.pid,
    exited: new Promise<never>(() => undefined),
    ping: () => new Promise<void>(resolve => (respond = resolve)),
    stop: async () => undefined,
  }
  const kept = keepAlive({ name: 'engine', start: async () => child, log: pino({ level: 'silent' }) })
  await vi.advanceTimersByTimeAsync(6_000)
  expect(kept.state).toBe('up')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(kept.state).toBe('not answering')
  respond()
  await vi.advanceTimersByTimeAsync(0)
  expect(kept.state).toBe('up')
  await kept.stop()
})
