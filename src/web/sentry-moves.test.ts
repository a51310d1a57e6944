import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch } from '#search/parse-search.ts'
import { findHomeMove, findSentryMove } from './sentry-moves.ts'

const trace = '0123456789abcdef0123456789abcdef'
const now = Date.parse('2026-11-17T12:00:00Z')
const q = (text: string) => new URLSearchParams({ q: text }).toString()

test.each([
  ['/auth/login/', '/login'],
  ['/auth/login/acme/?next=https://evil.example', '/login?next=%2Facme'],
  ['/organizations/acme/', '/acme'],
  ['/organizations/acme/issues/', '/acme/issues'],
  ['/organizations/acme/issues/?project=web&query=is%3Aresolved+boom', '/acme/issues?q=is%3Aresolved+boom&project=web'],
  ['/organizations/acme/issues/?query=', '/acme/issues?q='],
  [
    '/organizations/acme/issues/?project=42&statsPeriod=14d&environment=prod',
    '/acme/issues?project=42&env=prod&range=30d',
  ],
  ['/organizations/acme/issues/?project=-1&sort=freq', '/acme/issues?sort=events'],
  ['/organizations/acme/issues/views/12/?query=boom', '/acme/issues?q=boom'],
  [
    '/organizations/acme/issues/?environment=a&environment=b&query=x+OR+y',
    `/acme/issues?${q('(x OR y) environment:[a,b]')}`,
  ],
  [
    '/organizations/acme/issues/?start=2026-11-12T00%3A00%3A00&end=2026-11-13T00%3A00%3A00',
    '/acme/issues?start=1794441600000&end=1794528000000',
  ],
  ['/organizations/acme/issues/?start=2026-11-12T00%3A00%3A00', '/acme/issues?range=7d'],
  ['/organizations/acme/issues/WEB-1/', '/acme/issues/WEB-1'],
  ['/organizations/acme/issues/7/events/?environment=prod&statsPeriod=24h', '/acme/issues/7/events?env=prod&range=24h'],
  ['/organizations/acme/issues/7/tags/browser/?referrer=mail', '/acme/issues/7'],
  ['/organizations/acme/issues/7/events/latest/?query=x&project=1', '/acme/issues/7/events/latest?query=x'],
  [`/organizations/acme/issues/7/events/${trace.toUpperCase()}/json/`, `/acme/issues/7/events/${trace}`],
  [
    '/organizations/acme/issues/7/?start=2026-11-12T00%3A00%3A00&end=2026-11-13T00%3A00%3A00',
    '/acme/issues/7?start=1794441600000&end=1794528000000',
  ],
  ['/organizations/acme/releases/web%401.0%2Frc/', '/acme/releases/web%401.0%2Frc'],
  ['/organizations/acme/releases/web%401.0/commits/', '/acme/releases/web%401.0'],
  ['/organizations/acme/releases/?query=1.2', '/acme/releases?q=1.2'],
  [
    '/organizations/acme/releases/?project=42&environment=prod&statsPeriod=30d',
    '/acme/releases?project=42&env=prod&range=30d',
  ],
  [
    '/organizations/acme/insights/frontend/?start=2026-11-15T02:40:00&end=2026-11-15T09:05:00&statsPeriod=',
    '/acme/routes?start=1794710400000&end=1794733500000',
  ],
  ['/organizations/acme/projects/web/', '/acme/projects/web'],
  ['/organizations/acme/projects/new/', '/acme/projects'],
  [`/organizations/acme/explore/traces/trace/${trace}`, `/acme/traces/${trace}`],
  [`/organizations/acme/performance/trace/${trace}/?node=span-1`, `/acme/traces/${trace}`],
  [`/organizations/acme/traces/trace/${trace.toUpperCase()}/`, `/acme/traces/${trace}`],
  ['/organizations/acme/explore/traces/?query=span.op%3Adb&statsPeriod=24h', '/acme/traces?q=span.op%3Adb'],
  [
    '/organizations/acme/performance/summary/?transaction=GET+%2Fa+b',
    `/acme/traces?${q('segment:"GET /a b"')}&range=90d`,
  ],
  ['/organizations/acme/explore/logs/?query=severity%3Aerror', '/acme/logs?q=severity%3Aerror'],
  [`/organizations/acme/explore/logs/?query=trace%3A${trace}`, `/acme/logs?q=trace%3A${trace}`],
  ['/organizations/acme/explore/discover/homepage/?query=boom&field=id', '/acme/issues?q=boom'],
  [`/organizations/acme/discover/web:${trace}/`, `/acme/issues?${q(`id:${trace}`)}&range=90d`],
  ['/organizations/acme/insights/frontend/', '/acme/routes'],
  ['/organizations/acme/explore/replays/1/', '/acme/explore/replays/1'],
  ['/organizations/acme/issues/feedback/?project=1', '/acme/feedback'],
  ['/organizations/acme/user-feedback/', '/acme/feedback'],
  ['/organizations/acme/explore/profiling/', '/acme/profiles'],
  ['/organizations/acme/alerts/rules/', '/acme/alerts'],
  ['/organizations/acme/monitors/alerts/12/', '/acme/alerts/rules/12'],
  ['/organizations/acme/issues/alerts/rules/details/3/', '/acme/alerts/rules/3'],
  ['/organizations/acme/alerts/rules/web/7/details/', '/acme/alerts/rules/7'],
  ['/settings/acme/projects/web/', '/acme/projects/web/settings'],
  ['/settings/acme/projects/web/keys/', '/acme/settings#keys'],
  ['/settings/acme/projects/web/filters/data-filters/', '/acme/projects/web/filters'],
  ['/settings/acme/auth-tokens/', '/acme/settings/tokens'],
  ['/settings/acme/', '/acme/settings'],
  ['/settings/acme/members/', '/acme/settings/members'],
  ['/settings/acme/teams/core/', '/acme/settings/members'],
  ['/settings/acme/audit-log/', '/acme/settings/audit'],
])('%s redirects to %s', (from, to) => {
  expect(findSentryMove(from, now)).toBe(to)
})

test.each([
  '/acme/issues?query=boom',
  '/settings/account/api/auth-tokens/',
  '/settings/projects/web/keys/',
  '/organizations//evil.example/issues/',
  '/organizations/\\evil.example/issues/',
  '/organizations/%2Fevil.example/issues/',
  '/organizations/acme/x/<script>/',
  '/organizations/acme/../rival/issues',
  '/organizations/acme/x/%2E%2e/%2e./',
])('%s does not redirect', url => {
  expect(findSentryMove(url)).toBeNull()
})

test.each([
  ['/issues', '/acme/issues'],
  ['/issues?query=boom', '/acme/issues?q=boom'],
  ['/issues/WEB-12', '/acme/issues/WEB-12'],
  [`/performance/trace/${trace}/`, `/acme/traces/${trace}`],
  ['/settings/projects/web/keys/', '/acme/settings#keys'],
  ['/settings/account/details/', '/account'],
])('%s without an organization is %s', (from, to) => {
  expect(findHomeMove(from, 'acme')).toBe(to)
})

test('an organization that a user can’t see is no page of Sentry', () => {
  for (const url of ['/rival/issues', '/constructor', '/', '//evil.example', '/issues.example/x'])
    expect(findHomeMove(url, 'acme')).toBeNull()
})

test('every redirect stays within the organization, and its search is one that the page reads or explains', () => {
  const piece = constantFrom(
    'issues',
    'explore',
    'traces',
    '/',
    '//',
    '..',
    '%2F',
    '?query=',
    '&start=',
    '\\',
    '@',
    ':',
    '#',
  )
  assert(
    property(piece, piece, string(), piece, string(), (...parts) => {
      const move = findSentryMove(`/organizations/acme/${parts.join('')}`, now)
      if (move === null) return
      expect(move).toMatch(/^\/acme(?:[/?#]|$)/)
      const { host, pathname } = new URL(move, 'https://here.example')
      expect([host, pathname.slice(0, 5)]).toEqual(['here.example', '/acme'])
      parseSearch(new URL(move, 'https://here.example').searchParams.get('q') ?? '')
    }),
    { numRuns: 500, seed: 17 },
  )
})
