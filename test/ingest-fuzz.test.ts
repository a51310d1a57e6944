import { afterEach, beforeEach, expect, test } from 'vitest'
import { mutations } from './fuzz/mutate.ts'
import { recordedEnvelopes } from './fuzz/recorded-requests.ts'
import { envelopePath, eventEnvelope, type IngestUnderTest, openIngest } from './open-ingest.ts'

let ingest: IngestUnderTest
beforeEach(async () => {
  ingest = await openIngest()
})
afterEach(() => ingest.close())

test('the same seed damages the same requests in the same way', () => {
  const captures = recordedEnvelopes()
  const run = (seed: number) =>
    [...mutations(seed, 30, captures)].map(({ name, body }) => `${name} ${body.toString('base64')}`)
  expect(run(7)).toEqual(run(7))
  expect(run(7)).not.toEqual(run(8))
})

test('1,000 damaged requests are each stored or refused with an outcome, and ingest still works', async () => {
  const statuses = new Map<number, number>()
  for (const { name, path, headers, body } of mutations(20_261_115, 1000, recordedEnvelopes())) {
    const [records, outcomes] = [ingest.records.length, ingest.outcomes.length]
    const reply = await ingest.send(path.startsWith('/monitoring') ? '/tunnel/' : path, body, headers)
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    const isKept = ingest.records.length === records + 1
    expect([name, isKept, ingest.outcomes.length > outcomes]).toEqual([
      name,
      reply.status === 200,
      reply.status !== 200,
    ])
    if (isKept) expect([name, ingest.envelope(records).faults]).toEqual([name, []])
  }
  expect([...statuses.keys()].sort()).toEqual([200, 400, 401, 403, 413, 415])
  expect(ingest.lines.filter(line => line.level === 'error')).toEqual([])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  expect((await ingest.send(envelopePath, eventEnvelope())).status).toBe(200)
})
