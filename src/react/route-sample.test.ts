import { expect, test } from 'vitest'
import { idleFinish } from './route-sample.ts'

test.each([
  ['idleTimeout', '', 'Ended once nothing had happened for 1 s.'],
  ['finalTimeout', '', 'Cut off at 30 s, the longest that the SDK waits: the page was still busy.'],
  ['heartbeatFailed', '', 'Given up because a child span stayed silent for 15 s.'],
  ['cancelled', '', 'Cancelled: another navigation began before this one was done.'],
  ['cancelled', 'document.hidden', 'Ended because the tab was hidden.'],
  ['', '', ''],
  ['tomorrowsReason', '', 'Ended by “tomorrowsReason”.'],
])('a page view that ended by %s %s says so in words', (reason, cancellation, words) => {
  expect(idleFinish(reason, cancellation)).toBe(words)
})
