import { expect, it } from 'vitest'
import { hashKey } from '#domain/issues/counters/counted-event.ts'
import { makeRecord, testContext, testNow } from '../../../test/make-record.ts'
import { assembleBatch } from '../prepared-batch.ts'
import { processRecord } from '../process-record.ts'
import { emptyPlan } from './batch-plan.ts'
import { sampleSkew } from './sample-skew.ts'

const idOf = (at: number): string => at.toString(16).padStart(32, '0')

function flood(count: number, seenBefore: number, projectIds = [42]) {
  const sent = projectIds.flatMap(projectId => Array.from({ length: count }, (_, at) => ({ projectId, at })))
  const records = sent.map(({ projectId, at }) => {
    const event = {
      event_id: idOf(at),
      platform: 'javascript',
      release: 'shop@1.0.0',
      user: { id: `visitor-${at}` },
      exception: { values: [{ type: 'ChunkLoadError', value: `Failed to load chunk /_next/static/chunks/${at}.js` }] },
    }
    const record = makeRecord([{ type: 'event', payload: event }], { event_id: event.event_id }, { projectId })
    return { processed: processRecord(record, testContext), spool: null, receivedAt: testNow }
  })
  const groups = records.flatMap(({ processed }) => processed.groupedEvents)
  const seen = Object.fromEntries(groups.map(grouped => [hashKey(grouped), seenBefore]))
  const seal = { batch: 1, segment: 1, start: 0, endSegment: 1, end: 9 }
  const options = { seal, inboxId: 'inbox', mayHaveArrived: false, records, isRepeated: () => false }
  return assembleBatch({ ...options, plan: { ...emptyPlan, seen } })
}

const weights = (count: number, seenBefore: number) =>
  sampleSkew(flood(count, seenBefore)).rows.events.map(row => row.weight)

it('the first events of deploy skew are all kept', () => {
  expect(weights(50, 0)).toEqual(Array(50).fill(1))
})

it('later one in ten and then one in a hundred is kept, and the weights add up', () => {
  expect(weights(75, 40)).toEqual([...Array(10).fill(1), ...Array(6).fill(10), 5])
  expect(weights(250, 5_000)).toEqual([100, 100, 50])
})

it('every user is counted, and every grouped event refers to a kept event', () => {
  const batch = sampleSkew(flood(200, 1_000))
  expect(batch.rows.events).toHaveLength(2)
  expect(batch.groupedEvents).toHaveLength(200)
  expect(new Set(batch.groupedEvents.map(({ userHash }) => userHash)).size).toBe(200)
  expect(new Set(batch.groupedEvents.map(({ eventId }) => eventId))).toEqual(
    new Set(batch.rows.events.map(row => row.event_id)),
  )
  expect(batch.outcomes.filter(({ reason }) => reason === 'skew-sampled')).toHaveLength(198)
})

it('the same event in two projects counts in both', () => {
  const { rows } = sampleSkew(flood(20, 100, [42, 43]))
  const weightsOf = (projectId: number) =>
    rows.events.filter(row => row.project_id === projectId).map(row => row.weight)
  expect([weightsOf(42), weightsOf(43)]).toEqual([
    [10, 10],
    [10, 10],
  ])
})

it('other events are not sampled', () => {
  const batch = flood(3, 0)
  expect(sampleSkew(batch)).toBe(batch)
})
