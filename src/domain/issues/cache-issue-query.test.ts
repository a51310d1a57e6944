import { expect, test } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { cacheIssueQuery } from './cache-issue-query.ts'
import type { Issue } from './find-issue.ts'

const viewerAt = (telemetry: Telemetry, organizationId = 1) =>
  ({ telemetry, now: 1_000, organization: { id: organizationId } }) as unknown as Viewer
const issue = { id: 7, eventCount: 3, lastSeen: 500, hashes: ['a'] } as unknown as Issue

test('the same question about an issue is asked once, until it has more events, other groups or another filter', async () => {
  const viewer = viewerAt({} as Telemetry)
  let asked = 0
  const ask = (of: Issue, filter = {}, by = viewer) =>
    cacheIssueQuery(by, of, { name: 'bars', filter }, async () => ++asked)
  expect([await ask(issue), await ask(issue)]).toEqual([1, 1])
  expect(await ask({ ...issue, eventCount: 4 })).toBe(2)
  expect(await ask({ ...issue, hashes: ['a', 'b'] })).toBe(3)
  expect(await ask(issue, { environment: 'production' })).toBe(4)
  expect(await ask(issue, {}, viewerAt(viewer.telemetry, 2))).toBe(5)
  expect(await ask(issue)).toBe(1)
})

test('an answer that nobody has asked for since is not shown hours later', async () => {
  const viewer = viewerAt({} as Telemetry)
  let asked = 0
  const askAt = (now: number) =>
    cacheIssueQuery({ ...viewer, now }, issue, { name: 'rollout', filter: {} }, async () => ++asked)
  expect(await askAt(0)).toBe(1)
  expect(await askAt(59_000)).toBe(1)
  expect(await askAt(90_000)).toBe(1) // and it is read anew
  expect(await askAt(3 * 3_600_000)).toBe(3)
})
