import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ProjectStats } from '#domain/projects/unscoped-projects.ts'
import { createLiveHub } from './live-hub.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const statsOf = (projectId: number, itemCount: number, updatedAt = itemCount): ProjectStats => ({
  projectId,
  itemCount,
  eventCount: itemCount,
  updatedAt,
})

function stage(first: ProjectStats[]) {
  const hub = createLiveHub()
  const store = { stats: first, reads: 0 }
  const read = async (since: number) => {
    store.reads++
    return store.stats.filter(({ updatedAt }) => updatedAt >= since)
  }
  const open = (ids: number[]) => {
    const received: ProjectStats[][] = []
    const stop = hub.listen(
      { projectIds: new Set(ids), send: stats => void received.push(stats), end: () => stop() },
      read,
    )
    return { received, stop }
  }
  return { hub, store, open }
}

test('a listener first receives the current stats of its own projects only', async () => {
  const { open } = stage([statsOf(1, 5), statsOf(2, 9)])
  const mine = open([1])
  await vi.advanceTimersByTimeAsync(0)
  expect(mine.received).toEqual([[statsOf(1, 5)]])
  mine.stop()
})

test('a listener receives at most one message every two seconds', async () => {
  const { store, open } = stage([statsOf(1, 1)])
  const mine = open([1])
  await vi.advanceTimersByTimeAsync(0)
  for (let count = 2; count <= 7; count++) {
    store.stats = [statsOf(1, count)]
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(mine.received.map(signal => signal[0]?.itemCount)).toEqual([1, 3, 5, 7])
  mine.stop()
})

test('without listeners nothing is read, and the next listener gets the current stats at once', async () => {
  const { store, open } = stage([statsOf(1, 1)])
  open([1]).stop()
  await vi.advanceTimersByTimeAsync(0)
  const readsBefore = store.reads
  store.stats = [statsOf(1, 4)]
  await vi.advanceTimersByTimeAsync(10_000)
  expect(store.reads).toBe(readsBefore)
  const next = open([1])
  await vi.advanceTimersByTimeAsync(0)
  expect(next.received).toEqual([[statsOf(1, 4)]])
  next.stop()
})

test('close ends every stream', async () => {
  const { hub, store, open } = stage([])
  open([1])
  open([2])
  hub.close()
  const reads = store.reads
  await vi.advanceTimersByTimeAsync(5_000)
  expect(store.reads).toBe(reads)
})
