import { expect, test } from 'vitest'
import { explainIdleFinish, type RouteSpan, routeSamples } from './route-sample.ts'

test.each([
  ['idleTimeout', '', 'Ended after 1 s without activity.'],
  ['finalTimeout', '', 'Cut off at 30 s, the SDK’s limit. The page was still busy.'],
  ['heartbeatFailed', '', 'Ended because a child span did not finish within 15 s.'],
  ['cancelled', '', 'Canceled by another navigation.'],
  ['cancelled', 'document.hidden', 'Ended because the tab was hidden.'],
  ['', '', ''],
  ['tomorrowsReason', '', 'Ended by “tomorrowsReason”.'],
])('explains why a page view ended: %s %s', (reason, cancellation, words) => {
  expect(explainIdleFinish(reason, cancellation)).toBe(words)
})

const vital: RouteSpan = {
  ...{ project_id: 1, timestamp: 0, duration_us: 0, retention_days: 90, weight: 1, client_sample_rate: 1 },
  ...{
    trace_id: 't',
    segment_id: 's',
    is_segment: false,
    op: 'ui.webvital.lcp',
    origin: '',
    sdk_name: '',
    status: 'ok',
  },
  ...{ environment: '', release: '', route: '/items/[id]', method: '', status_code: 0, url: '', is_prefetch: false },
  ...{
    is_sdk_transport: false,
    os_name: '',
    device: '',
    attributes: {},
    numbers: { 'browser.web_vital.lcp.value': 90 },
  },
}
test.each([
  ['navigate', 'hard'],
  ['reload', 'hard'],
  ['soft-navigation', 'soft'],
  ['back-forward-cache', 'soft'],
])('a vital of a navigation of the kind %s is %s', (kind, detail) => {
  const attributes = { 'browser.navigation.type': kind }
  expect(routeSamples({ ...vital, attributes })).toEqual([{ measure: 'lcp', detail, value: 90, isFailed: false }])
})
