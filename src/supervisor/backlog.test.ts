import { expect, test } from 'vitest'
import { createBacklog } from './backlog.ts'

const group = (position: number, at = 0) => ({ records: 2, bytes: 100, at, end: { segment: 1, position } })

test('the size is unknown until the inbox has been surveyed', () => {
  const backlog = createBacklog()
  expect([backlog.records, backlog.oldestSeconds(0)]).toEqual([Number.NaN, Number.NaN])
  backlog.appended(group(10))
  expect(backlog.records).toBeNaN()
  backlog.found(group(5))
  backlog.surveyed()
  expect(backlog.records).toBe(4)
})

test('digested records leave the backlog, even when a progress message was lost', () => {
  const backlog = createBacklog()
  backlog.surveyed()
  for (const position of [10, 20, 30]) backlog.appended(group(position))
  backlog.digestedUpTo({ segment: 1, position: 20 })
  expect([backlog.records, backlog.bytes]).toEqual([2, 100])
  backlog.digestedUpTo({ segment: 2, position: 0 })
  expect([backlog.records, backlog.bytes, backlog.oldestSeconds(5_000)]).toEqual([0, 0, 0])
})

test('the oldest record may be from an earlier run', () => {
  const backlog = createBacklog()
  backlog.surveyed()
  backlog.appended(group(20, 9_000))
  backlog.found({ ...group(10, 1_000), end: { segment: 0, position: 10 } })
  expect(backlog.oldestSeconds(11_000)).toBe(10)
})

test('the sums stay right while digest is down for long', () => {
  const backlog = createBacklog()
  backlog.surveyed()
  for (let index = 1; index <= 20_000; index++) backlog.appended(group(index, index))
  expect(backlog.records).toBe(40_000)
  backlog.digestedUpTo({ segment: 1, position: 20_000 })
  expect(backlog.records).toBe(0)
})
