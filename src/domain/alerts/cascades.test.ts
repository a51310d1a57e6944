import { expect, test } from 'vitest'
import { describeCascade, gatherCascades } from './cascades.ts'
import { type IssueMessage, maxItems, type SingleMessage } from './stored-message.ts'

const issue = (issueId: number, more: Partial<IssueMessage> = {}): IssueMessage => ({
  kind: 'issue',
  type: 'issue.new',
  issueId,
  projectId: 1,
  ruleId: 1,
  at: issueId,
  severity: 'warning',
  reason: 'seen for the first time',
  ...more,
})
const apart = { isWithinProject: false }
const shape = (messages: readonly SingleMessage[]) =>
  messages.map(message =>
    message.kind === 'issue' ? [message.issueId, ...(message.others ?? []).map(({ issueId }) => issueId)] : [],
  )

test('issues of one trace become one message that names the first', () => {
  const traces = new Map([
    [1, 'a'],
    [2, 'b'],
    [3, 'a'],
  ])
  const gathered = gatherCascades([issue(1), issue(2), issue(3, { severity: 'critical' })], traces, apart)
  expect(shape(gathered)).toEqual([[1, 3], [2]])
  expect(gathered[0]?.severity).toBe('critical')
  expect(gathered.map(message => (message.kind === 'issue' ? describeCascade(message) : ''))).toEqual([
    '1 more in the same trace',
    '',
  ])
})

test('issues that follow one deploy become one message, and those of another release do not', () => {
  const gathered = gatherCascades(
    [issue(1, { deploy: 'web@1' }), issue(2, { deploy: 'web@1' }), issue(3, { deploy: 'web@2' }), issue(4)],
    new Map(),
    apart,
  )
  expect(shape(gathered)).toEqual([[1, 2], [3], [4]])
  const [first] = gathered
  expect(first?.kind === 'issue' && describeCascade(first)).toBe('1 more after the deploy of web@1')
})

test('a chain of causes is one cascade', () => {
  const gathered = gatherCascades(
    [issue(1, { deploy: 'web@1' }), issue(2, { deploy: 'web@1' }), issue(3)],
    new Map([
      [2, 'a'],
      [3, 'a'],
    ]),
    apart,
  )
  expect(shape(gathered)).toEqual([[1, 2, 3]])
})

test('at most so many are named, and the rest is counted', () => {
  const messages = Array.from({ length: 30 }, (_, index) => issue(index + 1, { deploy: 'web@1' }))
  const [first, ...others] = gatherCascades(messages, new Map(), apart)
  expect(others).toEqual([])
  expect(first?.kind === 'issue' && [first.others?.length, first.more]).toEqual([maxItems, 29 - maxItems])
  expect(first?.kind === 'issue' && describeCascade(first)).toBe('29 more after the deploy of web@1')
})

test('readers who may not see all projects get no message about two', () => {
  const traces = new Map([
    [1, 'a'],
    [2, 'a'],
  ])
  const messages = [issue(1), issue(2, { projectId: 2 })]
  expect(shape(gatherCascades(messages, traces, apart))).toEqual([[1, 2]])
  expect(shape(gatherCascades(messages, traces, { isWithinProject: true }))).toEqual([[1], [2]])
})

test('what ends is told by itself', () => {
  const traces = new Map([
    [1, 'a'],
    [2, 'a'],
  ])
  expect(shape(gatherCascades([issue(1), issue(2, { type: 'issue.resolved' })], traces, apart))).toEqual([[1], [2]])
})
