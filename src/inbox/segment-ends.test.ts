import { expect, test } from 'vitest'
import { createSharedEnd, publishEnd, readEnd, waitForEnd, wakeWaiting } from './segment-ends.ts'

const foreverMs = 3_600_000

test('a wait ends when the end moves, and when it is woken although nothing has moved', async () => {
  const shared = createSharedEnd()
  const known = { segment: 3, position: 40 }
  publishEnd(shared, known)
  const moved = waitForEnd(shared, known, foreverMs)
  publishEnd(shared, { segment: 3, position: 41 })
  await moved
  const here = readEnd(shared)
  const woken = waitForEnd(shared, here, foreverMs)
  wakeWaiting(shared)
  await woken
  expect(readEnd(shared)).toEqual(here)
})
