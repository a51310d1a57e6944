import { expect, test } from 'vitest'
import { findSentryMove } from '#web/sentry-moves.ts'
import { ranges, readScopeParams } from './list-params.ts'

test('a period in a link of Sentry selects the same range of the time picker', () => {
  for (const name of Object.keys(ranges)) {
    const move = findSentryMove(`/organizations/acme/issues/?statsPeriod=${name}`) ?? ''
    const given = Object.fromEntries(new URL(move, 'https://here.example').searchParams)
    expect(readScopeParams(given, '24h').range).toBe(name)
  }
})
