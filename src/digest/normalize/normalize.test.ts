import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalOf64 } from '#lib/user-hash.ts'
import { derivedId, readId, readSpanId } from './ids.ts'
import { readUserAgent } from './read-user-agent.ts'
import { clampTimeMs, clockShiftMs, readTimeMs } from './times.ts'
import { userHash } from './user-hash.ts'

describe('ids', () => {
  it('any 64 bits become the decimal that BigInt would give', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), value => {
        expect(readSpanId(value.toString(16).padStart(16, '0'))).toBe(value.toString())
      }),
    )
    expect(decimalOf64(0xffffffff, 0xffffffff)).toBe('18446744073709551615')
    expect(decimalOf64(0, 0)).toBe('0')
  })

  it('an invalid id is empty', () => {
    for (const wrong of [null, 7, '', 'xyz', 'a'.repeat(31), 'g'.repeat(32), 'a'.repeat(5000)])
      expect(readId(wrong)).toBe('')
    expect(readSpanId('A9FDA22190409B18')).toBe(BigInt('0xa9fda22190409b18').toString())
  })

  it('derived ids differ by item and are the same on repeat', () => {
    expect(derivedId('r', 1)).toBe(derivedId('r', 1))
    expect(derivedId('r', 1)).not.toBe(derivedId('r', 2))
  })
})

describe('times', () => {
  it.each([
    [1794702124.522, 1794702124522],
    [1794702124522, 1794702124522],
    [1794702124522000, 1794702124522],
    ['1794702124.522', 1794702124522],
    ['2026-11-15T00:22:04.522Z', 1794702124522],
    ['2026-11-15T01:22:04.522+01:00', 1794702124522],
    ['2026-11-15T00:22:04.522', 1794702124522],
  ])('%s', (given, expected) => {
    expect(readTimeMs(given)).toBeCloseTo(expected, 3)
  })

  it('an invalid time is undefined', () => {
    for (const wrong of [null, {}, '', 'soon', Number.NaN, true]) expect(readTimeMs(wrong)).toBeUndefined()
  })

  it('are clamped to 30 days back and a minute ahead', () => {
    expect(clampTimeMs(0, 1e12)).toBe(1e12 - 30 * 86_400_000)
    expect(clampTimeMs(2e12, 1e12)).toBe(1e12 + 60_000)
    expect(clampTimeMs(1e12 + 59_999, 1e12)).toBe(1e12 + 59_999)
  })

  it('are not shifted for a difference below 55 minutes', () => {
    const now = Date.parse('2026-11-15T12:00:00Z')
    expect(clockShiftMs('2026-11-15T11:06:00Z', now)).toBe(0)
    expect(clockShiftMs('2026-11-15T11:04:00Z', now)).toBe(56 * 60_000)
    expect(clockShiftMs('nonsense', now)).toBe(0)
  })
})

describe('users', () => {
  it('are hashed by their first identifier, differently in each project', () => {
    expect(userHash(1, 'u1', 'a@x')).toBe(userHash(1, 'u1', 'b@x'))
    expect(userHash(1, 'u1')).not.toBe(userHash(2, 'u1'))
    expect(userHash(1, '', '', '', '')).toBe('0')
    expect(userHash(1, '', '', '', '10.0.0.1')).toMatch(/^\d{1,20}$/)
  })
})

describe('user agents', () => {
  it('are parsed for browsers only', () => {
    expect(
      readUserAgent(
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      ),
    ).toMatchObject({
      browserName: 'Safari',
      browserVersion: '17.5',
      osName: 'iOS',
      device: 'Apple iPhone',
      deviceType: 'mobile',
    })
    expect(readUserAgent('sentry.javascript.node/11.11.0').browserName).toBe('')
    expect(readUserAgent('').browserName).toBe('')
  })
})
