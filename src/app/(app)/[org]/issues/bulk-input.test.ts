import { describe, expect, test } from 'vitest'
import { changeInput } from './[issueId]/issue-changes.ts'
import { bulkInput } from './bulk-input.ts'

const ok = (input: object): boolean =>
  bulkInput.safeParse(input).success && changeInput.safeParse({ issue: '7', ...input }).success

describe('a change of issues', () => {
  test.each([
    'resolve:now',
    'resolve:next_release',
    'resolve:in_release:web@1:2',
    'archive:forever',
    'archive:until_escalating',
    'archive:until_events:100',
    'archive:own',
    'reopen',
    'assign:',
    'assign:user:bob',
    'priority:low',
    'merge',
    'delete',
    'discard',
  ])('%s is known', change => {
    expect(ok({ change })).toBe(true)
  })

  // Each was read as the nearest change: resolved now, archived forever, priority medium.
  test.each([
    '',
    'undefined',
    'resolve',
    'resolve:',
    'resolve:later',
    'resolve:in_release:',
    'archive',
    'archive:ever',
    'archive:until_event:5',
    'reopen:x',
    'priority',
    'priority:urgent',
    'merge:1',
    'delete:all',
    'constructor',
  ])('%s is not', change => {
    expect(ok({ change })).toBe(false)
  })

  test.each(['undefined', 'NaN', '-1', '12x', '1e3', '', '0', 'WEB-1'])('the issue %j is not', issue => {
    expect(bulkInput.safeParse({ change: 'reopen', issue }).success).toBe(false)
    expect(bulkInput.safeParse({ change: 'reopen', issue: ['7', issue] }).success).toBe(false)
    expect(changeInput.safeParse({ change: 'reopen', issue }).success).toBe(false)
  })
})
