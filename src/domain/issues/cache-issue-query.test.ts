import { expect, test } from 'vitest'
import { viewerAt } from '#domain/access/viewer.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { viewAs } from '../../../test/view-as.ts'
import { cacheIssueQuery } from './cache-issue-query.ts'
import type { Issue } from './find-issue.ts'

const viewerWith = (telemetry: Telemetry, organizationId = 1) =>
  viewAs({ telemetry }, { projects: [1], now: 1_000, organization: { id: organizationId, slug: '', name: '' } })
const issue = { id: 7, eventCount: 3, lastSeen: 500, hashes: ['a'] } as unknown as Issue

test('a query runs once per issue until the issue has more events, other groups or another filter', async () => {
  const telemetry = {} as Telemetry
  const viewer = viewerWith(telemetry)
  let runs = 0
  const run = (of: Issue, filter = {}, by = viewer) =>
    cacheIssueQuery(by, of, { name: 'bars', filter }, async () => ++runs)
  expect([await run(issue), await run(issue)]).toEqual([1, 1])
  expect(await run({ ...issue, eventCount: 4 })).toBe(2)
  expect(await run({ ...issue, hashes: ['a', 'b'] })).toBe(3)
  expect(await run(issue, { environment: 'production' })).toBe(4)
  expect(await run(issue, {}, viewerWith(telemetry, 2))).toBe(5)
  expect(await run(issue)).toBe(1)
})

test('a result that was not used for hours is not served stale', async () => {
  const viewer = viewerWith({} as Telemetry)
  let runs = 0
  const runAt = (now: number) =>
    cacheIssueQuery(viewerAt(viewer, now), issue, { name: 'rollout', filter: {} }, async () => ++runs)
  expect(await runAt(0)).toBe(1)
  expect(await runAt(59_000)).toBe(1)
  expect(await runAt(90_000)).toBe(1) // stale, and refreshed in the background
  expect(await runAt(3 * 3_600_000)).toBe(3)
})
