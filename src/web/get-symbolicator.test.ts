import { expect, test } from 'vitest'
import { withReadSignal } from '#lib/read-signal.ts'
import type { MapTask } from '#symbolication/open-symbolicator.ts'
import { inTurns } from './get-symbolicator.ts'

const taskOf = (bundleId: number): MapTask => ({
  ref: { bundleId, blobKey: '', mapPath: '', minifiedPath: '' },
  positions: [],
})

test('tasks of ended requests never reach the thread, and another bundle does not wait behind them', async () => {
  const started: number[] = []
  const finish: (() => void)[] = []
  const symbolicator = inTurns({
    resolve: tasks =>
      new Promise(resolve => {
        started.push(tasks[0]?.ref.bundleId ?? 0)
        finish.push(() => resolve([]))
      }),
    close: async () => undefined,
  })
  const gone = new AbortController()
  const flood = Promise.allSettled(
    Array.from({ length: 100 }, () => withReadSignal(gone.signal, () => symbolicator.resolve([taskOf(1)]))),
  )
  const other = symbolicator.resolve([taskOf(2)])
  await new Promise(resolve => setImmediate(resolve))
  expect(started).toEqual([1, 1, 1, 1, 2])
  gone.abort(new Error('gone'))
  for (const end of finish) end()
  expect((await flood).filter(({ status }) => status === 'rejected')).toHaveLength(96)
  expect(await other).toEqual([])
  expect(started).toHaveLength(5)
})
