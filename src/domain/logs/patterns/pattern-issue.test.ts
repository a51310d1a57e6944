import { expect, test } from 'vitest'
import { groupEvent } from '#grouping/group-event.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { LogDetails } from '../find-log.ts'
import { patternEvent, patternHash } from './pattern-issue.ts'

const line: LogDetails = {
  id: 'a'.repeat(32),
  projectId: 1,
  atUs: 1_700_000_000_123_456,
  sequence: 0,
  level: 'warn',
  body: 'cart 12 locked',
  template: '',
  traceId: 'b'.repeat(32),
  spanId: 'c'.repeat(16),
  replayId: '',
  route: '/cart',
  serverName: 'web-1',
  side: 'server',
  environment: 'production',
  release: 'web@1',
  origin: '',
  userId: '',
  sdk: '',
  receivedAt: 0,
  attributes: {},
  numbers: {},
}

test('the event of a pattern has its words, the request of the line and the group that its issue is found by', () => {
  const event = patternEvent(line, '00000000000000ff', 'd'.repeat(32))
  expect(event).toMatchObject({
    timestamp: 1_700_000_000.123456,
    level: 'warning',
    logentry: { message: 'cart <*> locked' },
    transaction: '/cart',
    contexts: { trace: { trace_id: line.traceId } },
  })
  const { hash } = groupEvent(event as unknown as StoredEvent)
  expect(hash).toBe(patternHash('00000000000000ff'))
})
