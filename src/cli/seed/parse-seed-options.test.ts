import { describe, expect, it } from 'vitest'
import { parseSeedOptions } from './parse-seed-options.ts'

const read = (...args: string[]) => {
  const parsed = parseSeedOptions(args)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.options
}

describe('the options of seed', () => {
  it('follow the number of events', () => {
    expect(read('--events', '10')).toMatchObject({ events: 10, spans: 100, logs: 10, days: 30, users: 20 })
    expect(read()).toMatchObject({ events: 100_000, spans: 1_000_000, logs: 100_000, users: 5_000, issues: null })
  })

  it('keep every number that is given', () => {
    const given = ['--events', '10', '--issues', '5', '--spans', '0', '--logs', '3', '--days', '2', '--users', '1']
    expect(read('--quick', ...given)).toMatchObject({ events: 10, issues: 5, spans: 0, logs: 3, days: 2, users: 1 })
  })

  it('are small for a quick look', () => {
    expect(read('--quick')).toMatchObject({ events: 1_000, spans: 10_000, logs: 1_000, days: 10 })
  })

  it('reject what cannot be', () => {
    for (const args of [
      ['--issues', '0'],
      ['--days', '0'],
      ['--users', '0'],
      ['--events', 'many'],
      ['--spans', '-1'],
    ])
      expect(parseSeedOptions(args).ok).toBe(false)
  })
})
