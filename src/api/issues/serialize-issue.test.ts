import { expect, test } from 'vitest'
import { serializeIssueStatus } from './serialize-issue.ts'

const archived = (detail: object) => serializeIssueStatus('archived', 'ongoing', JSON.stringify(detail)).statusDetails

test('an archive until a count gives the requested number of additional events or users', () => {
  expect(archived({ kind: 'until_events', more: 10, count: 24 })).toEqual({ ignoreCount: 10 })
  expect(archived({ kind: 'until_users', more: 3, count: 7 })).toEqual({ ignoreUserCount: 3 })
})

test('an archive of an older version gives the total count', () => {
  expect(archived({ kind: 'until_events', count: 24 })).toEqual({ ignoreCount: 24 })
})
