/** Sums of chunks and spans that the Node and the browser SDK have sent. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readChunk } from '#domain/profiles/read-chunk.ts'
import { makeRecord, testContext } from '../../../test/make-record.ts'
import { processRecord } from '../process-record.ts'
import { profiledSpanOf, sampleChunk, sumFunctions } from './sum-functions.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../test/fixtures/profiles/${name}.json`, import.meta.url), 'utf8'))

const chunkJson = read('node-chunk')
const [sampledAt] = chunkJson.profile.samples.map(({ timestamp }: { timestamp: number }) => timestamp * 1e3)
const { rows } = processRecord(
  makeRecord(
    [
      {
        type: 'span',
        headers: { item_count: 3, content_type: 'application/vnd.sentry.items.span.v2+json' },
        payload: read('node-spans'),
      },
      { type: 'profile_chunk', headers: { platform: 'node' }, payload: chunkJson },
    ],
    {},
    { receivedAt: sampledAt + 5_000 },
  ),
  testContext,
)
const spans = (rows.spans ?? []).flatMap(row => profiledSpanOf(row) ?? [])
const sum = (of = spans) => {
  const [row] = rows.profiles ?? []
  const chunk = readChunk(chunkJson)
  const sampled = row && chunk ? sampleChunk(row, chunk, new Map()) : null
  if (sampled === null) throw new Error('The chunk could not be read')
  return sumFunctions(sampled, of)
}

test('the functions of a route have their time within its spans, and its whole time stands beside them', () => {
  const [whole, ...functions] = sum()
  expect(spans.map(({ row }) => row.route)).toEqual(['/items/[id]'])
  expect(whole).toMatchObject({
    route: '/items/[id]',
    function_name: '',
    spans: 1,
    release: 'shop@1.0.0',
    platform: 'node',
  })
  expect(functions.map(({ function_name }) => function_name)).toEqual(
    expect.arrayContaining(['relatedItems', 'parseCart', 'priceFor']),
  )
  const selfMs = functions.reduce((all, { self_ms }) => all + self_ms, 0)
  expect(selfMs).toBeGreaterThan(0.5 * (whole?.total_ms ?? 0))
  expect(selfMs).toBeLessThanOrEqual((whole?.total_ms ?? 0) + 0.001)
  for (const { self_ms, total_ms, file } of functions) {
    expect(self_ms).toBeLessThanOrEqual(total_ms)
    expect(file).not.toContain('node_modules')
  }
})

test('a second visit adds up, its example stays the longest, and half a span has half of the time', () => {
  const [span] = spans
  if (span === undefined) throw new Error('no profiled span')
  const half = { ...span, row: { ...span.row, span_id: '7' }, toMs: (span.fromMs + span.toMs) / 2 }
  const rowOf = (of: typeof spans) => sum(of).find(({ function_name }) => function_name === 'relatedItems')
  const [alone, part, both] = [rowOf([span]), rowOf([half]), rowOf([half, span])]
  expect(both?.spans).toBe(2)
  expect(both?.total_ms).toBeCloseTo((alone?.total_ms ?? 0) + (part?.total_ms ?? 0), 3)
  expect(both?.span_id).toBe(alone && alone.total_ms > (part?.total_ms ?? 0) ? span.row.span_id : '7')
  const later = { ...span, fromMs: span.toMs + 60_000, toMs: span.toMs + 61_000 }
  expect(sum([later])).toEqual([])
})
