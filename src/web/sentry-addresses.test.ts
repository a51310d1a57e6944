import { expect, test } from 'vitest'
import { findSentryMove } from './sentry-addresses.ts'

const trace = '0123456789abcdef0123456789abcdef'

test.each([
  ['/organizations/acme/issues/', '/acme/issues'],
  ['/organizations/acme/issues/?project=web&query=is%3Aresolved+boom', '/acme/issues?q=is%3Aresolved+boom&project=web'],
  ['/organizations/acme/issues/?query=', '/acme/issues?q='],
  ['/organizations/acme/issues/?project=42&statsPeriod=7d&environment=prod', '/acme/issues?env=prod&range=7d'],
  ['/organizations/acme/issues/WEB-1/', '/acme/issues/WEB-1'],
  ['/organizations/acme/issues/7/events/latest/?query=x', '/acme/issues/7/events/latest?query=x'],
  ['/organizations/acme/releases/web%401.0%2Frc/', '/acme/releases/web%401.0%2Frc'],
  ['/organizations/acme/projects/web/', '/acme/projects/web'],
  [`/organizations/acme/explore/traces/trace/${trace}`, `/acme/traces/${trace}`],
  [`/organizations/acme/performance/trace/${trace}/?node=span-1`, `/acme/traces/${trace}`],
  [`/organizations/acme/traces/trace/${trace.toUpperCase()}/`, `/acme/traces/${trace}`],
  ['/organizations/acme/explore/traces/?query=span.op%3Adb&statsPeriod=24h', '/acme/traces?q=span.op%3Adb&range=24h'],
  ['/organizations/acme/explore/logs/?query=severity%3Aerror', '/acme/traces'],
  [`/organizations/acme/explore/logs/?query=trace%3A${trace}`, `/acme/traces/${trace}`],
  ['/organizations/acme/explore/discover/homepage/?query=boom&field=id', '/acme/issues?q=boom'],
  ['/settings/acme/projects/web/', '/acme/projects/web'],
  ['/settings/acme/', '/acme/settings'],
])('%s leads to %s', (from, to) => {
  expect(findSentryMove(from)).toBe(to)
})

test.each([
  '/acme/issues?query=boom',
  '/organizations/acme/explore/replays/1/',
  '/settings/account/api/auth-tokens/',
  '/organizations//evil.example/issues/',
  '/organizations/\\evil.example/issues/',
  '/organizations/%2Fevil.example/issues/',
])('%s leads nowhere else', url => {
  expect(findSentryMove(url)).toBeNull()
})
