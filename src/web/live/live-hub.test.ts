import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ProjectStats } from '#domain/projects/list-projects.ts'
import { createLiveHub } from './live-hub.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pulse = (projectId: number, itemCount: number, updatedAt = itemCount): ProjectStats => ({
  projectId,
  itemCount,
  eventCount: itemCount,
  updatedAt,
})

function stage(first: ProjectStats[]) {
  const hub = createLiveHub()
  const store = { pulses: first, reads: 0 }
  const read = async (since: number) => {
    store.reads++
    return store.pulses.filter(({ updatedAt }) => updatedAt >= since)
  }
  const open = (ids: number[]) => {
    const heard: ProjectStats[][] = []
    const stop = hub.listen(
      { projectIds: new Set(ids), send: pulses => void heard.push(pulses), end: () => stop() },
      read,
    )
    return { heard, stop }
  }
  return { hub, store, open }
}

test('a listener hears where its own projects stand, and nothing of others', async () => {
  const { open } = stage([pulse(1, 5), pulse(2, 9)])
  const mine = open([1])
  await vi.advanceTimersByTimeAsync(0)
  expect(mine.heard).toEqual([[pulse(1, 5)]])
  mine.stop()
})

test('many arrivals become one signal every two seconds', async () => {
  const { store, open } = stage([pulse(1, 1)])
  const mine = open([1])
  await vi.advanceTimersByTimeAsync(0)
  for (let count = 2; count <= 7; count++) {
    store.pulses = [pulse(1, count)]
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(mine.heard.map(signal => signal[0]?.itemCount)).toEqual([1, 3, 5, 7])
  mine.stop()
})

test('nothing is read while nobody listens, and what was missed is heard at once by the next', async () => {
  const { store, open } = stage([pulse(1, 1)])
  open([1]).stop()
  await vi.advanceTimersByTimeAsync(0)
  const readsBefore = store.reads
  store.pulses = [pulse(1, 4)]
  await vi.advanceTimersByTimeAsync(10_000)
  expect(store.reads).toBe(readsBefore)
  const next = open([1])
  await vi.advanceTimersByTimeAsync(0)
  expect(next.heard).toEqual([[pulse(1, 4)]])
  next.stop()
})

test('closing ends every stream', async () => {
  const { hub, store, open } = stage([])
  open([1])
  open([2])
  hub.close()
  const reads = store.reads
  await vi.advanceTimersByTimeAsync(5_000)
  expect(store.reads).toBe(reads)
})
