import { parseRetryAfterHeader, updateRateLimits } from '@sentry/core'
import { expect, test } from 'vitest'
import { formatRateLimits, longestRetrySeconds, type RateLimit } from './rate-limit-header.ts'

const limits: RateLimit[] = [
  { retryAfterSeconds: 60, categories: ['error', 'transaction'], scope: 'key', reason: 'key_rate_limit' },
  { retryAfterSeconds: 10, categories: ['span'], scope: 'project', reason: 'project_rate_limit' },
]

test('the header has the format of the protocol', () => {
  expect(formatRateLimits(limits)).toBe('60:error;transaction:key:key_rate_limit, 10:span:project:project_rate_limit')
  expect(longestRetrySeconds(limits)).toBe(60)
})

test('the real SDK can parse the header', () => {
  const headers = { 'x-sentry-rate-limits': formatRateLimits(limits), 'retry-after': null }
  expect(updateRateLimits({}, { statusCode: 429, headers }, 1000)).toEqual({
    error: 61_000,
    transaction: 61_000,
    span: 11_000,
  })
  const all = formatRateLimits([{ retryAfterSeconds: 5, categories: [], scope: 'global', reason: 'inbox_full' }])
  expect(updateRateLimits({}, { headers: { 'x-sentry-rate-limits': all, 'retry-after': null } }, 1000)).toEqual({
    all: 6000,
  })
  expect(parseRetryAfterHeader('60', 0)).toBe(60_000)
})
