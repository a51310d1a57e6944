import { expect, test } from 'vitest'
import { itemRule } from '#protocol/item-types.ts'
import { createSpikeGuard, readSpikeHistory } from './spike-guard.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const start = Date.UTC(2026, 10, 15)

test('a new key may send a thousand a minute of what becomes an issue, and a hundred thousand of anything else', () => {
  const guard = createSpikeGuard()
  for (const type of ['event', 'feedback', 'user_report', 'security', 'raw_security'])
    expect([type, guard.limitOf(1, itemRule(type).category, start)]).toEqual([type, 1_000])
  for (const type of ['transaction', 'span', 'log', 'attachment', 'replay_recording', 'profile_chunk'])
    expect([type, guard.limitOf(1, itemRule(type).category, start)]).toEqual([type, 100_000])
})

test('the limit follows the busiest hour of the week before today, and falls again', () => {
  const guard = createSpikeGuard()
  guard.count(1, 'error', 60_000, start)
  guard.count(1, 'error', 60_000, start + hourMs - 1)
  guard.count(1, 'error', 6_000, start + hourMs)
  const after = (days: number) => guard.limitOf(1, 'error', start + days * dayMs)
  expect([after(0), after(1), after(7), after(8)]).toEqual([1_000, 10_000, 10_000, 1_000])
  expect(guard.limitOf(2, 'error', start + dayMs)).toBe(1_000)
  expect(guard.limitOf(1, 'feedback', start + dayMs)).toBe(1_000)
})

test('a flood does not raise its own limit, and a clock that is ahead for a moment changes nothing that lasts', () => {
  const guard = createSpikeGuard()
  for (let minute = 0; minute < 600; minute++) guard.count(1, 'error', 1_000, start + minute * 60_000)
  expect(guard.limitOf(1, 'error', start + 10 * hourMs)).toBe(1_000)
  guard.count(1, 'error', 5, start + dayMs)
  expect(guard.limitOf(1, 'error', start + 10 * hourMs)).toBe(1_000)
  guard.count(1, 'error', 1, start + 30 * dayMs)
  expect(Object.keys(guard.history(start)['1 error'] ?? {})).toEqual([String((start + 30 * dayMs) / dayMs)])
})

test('the history survives a restart, and a damaged file is ignored', () => {
  const guard = createSpikeGuard()
  guard.count(1, 'error', 60_000, start)
  const read = createSpikeGuard(readSpikeHistory(JSON.stringify(guard.history(start))))
  expect(read.limitOf(1, 'error', start + dayMs)).toBe(5_000)
  expect(guard.history(start + 8 * dayMs)).toEqual({})
  for (const text of ['', '[]', '{"1 error":{"1":{}}}', '{"1 error":'])
    expect(createSpikeGuard(readSpikeHistory(text)).limitOf(1, 'error', start + dayMs)).toBe(1_000)
})
