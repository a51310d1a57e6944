import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveMember } from '#domain/projects/live-access.ts'
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
  const store = { stats: first, reads: 0, removed: new Set<string>(), hidden: new Set<number>() }
  const read = {
    stats: async (since: number) => {
      store.reads++
      return store.stats.filter(({ updatedAt }) => updatedAt >= since)
    },
    access: async () => (member: LiveMember) =>
      store.removed.has(member.userId) ? null : { role: 'viewer' as const, hidden: store.hidden },
  }
  const open = (ids: number[], userId = 'ada') => {
    const received: ProjectStats[][] = []
    const member = { sessionId: userId, userId, organizationId: 1 }
    const stream = { received, isOpen: true, stop: () => {} }
    stream.stop = hub.listen(
      {
        member,
        projectIds: new Set(ids),
        send: stats => void received.push(stats),
        end: () => {
          stream.isOpen = false
          stream.stop()
        },
      },
      read,
    )
    return stream
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

test('the stream of a removed member ends before the next message, and the others go on', async () => {
  const { store, open } = stage([statsOf(1, 1)])
  const [theirs, mine] = [open([1], 'mia'), open([1])]
  await vi.advanceTimersByTimeAsync(0)
  store.removed.add('mia')
  store.stats = [statsOf(1, 2)]
  await vi.advanceTimersByTimeAsync(3_000)
  expect([theirs.isOpen, theirs.received.length]).toEqual([false, 1])
  expect([mine.isOpen, mine.received.length]).toEqual([true, 2])
  mine.stop()
})

test('a project that has become private is no longer sent', async () => {
  const { store, open } = stage([statsOf(1, 1), statsOf(2, 1)])
  const mine = open([1, 2])
  await vi.advanceTimersByTimeAsync(0)
  store.hidden.add(2)
  store.stats = [statsOf(1, 2), statsOf(2, 2)]
  await vi.advanceTimersByTimeAsync(3_000)
  expect(mine.received.at(-1)).toEqual([statsOf(1, 2)])
  mine.stop()
})
