import { expect, test } from 'vitest'
import { serializeIssueStatus } from './serialize-issue.ts'

const archived = (detail: object) => serializeIssueStatus('archived', 'ongoing', JSON.stringify(detail)).statusDetails

test('an archive that ends with a count says how many more were asked for', () => {
  expect(archived({ kind: 'until_events', more: 10, count: 24 })).toEqual({ ignoreCount: 10 })
  expect(archived({ kind: 'until_users', more: 3, count: 7 })).toEqual({ ignoreUserCount: 3 })
})

test('an archive of before says the total that it ends with', () => {
  expect(archived({ kind: 'until_events', count: 24 })).toEqual({ ignoreCount: 24 })
})
