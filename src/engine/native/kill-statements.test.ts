import { expect, test } from 'vitest'
import { createKiller } from './kill-statements.ts'

test('a statement is killed until it has ended, with one call at a time for all', async () => {
  const calls: string[][] = []
  let atOnce = 0
  let most = 0
  const killer = createKiller(async marks => {
    most = Math.max(most, ++atOnce)
    calls.push(marks)
    await new Promise(resolve => setImmediate(resolve))
    atOnce--
    if (calls.length === 2) throw new Error('the engine is busy')
    if (calls.length === 3) for (const mark of marks) killer.remove(mark)
  })
  killer.add('a')
  killer.add('b')
  await expect.poll(() => calls.length).toBe(3)
  killer.add('c')
  await expect.poll(() => calls.length).toBe(4)
  killer.remove('c')
  expect({ calls, most }).toEqual({ calls: [['a'], ['a', 'b'], ['a', 'b'], ['c']], most: 1 })
})
