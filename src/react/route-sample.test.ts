import { expect, test } from 'vitest'
import { explainIdleFinish } from './route-sample.ts'

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
