import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRecord, testContext } from '../../test/make-record.ts'
import { processRecord } from './process-record.ts'

const types = [
  'event',
  'transaction',
  'span',
  'log',
  'trace_metric',
  'session',
  'sessions',
  'client_report',
  'attachment',
  'feedback',
  'user_report',
  'replay_event',
  'replay_recording',
  'profile',
  'profile_chunk',
  'check_in',
  'security',
  'raw_security',
  'statsd',
  'unheard_of',
]

/** Keys that the pipelines look at, so that arbitrary values land where they are read. */
const key = fc.oneof(
  fc.constantFrom(
    'exception',
    'values',
    'stacktrace',
    'frames',
    'function',
    'filename',
    'mechanism',
    'type',
    'value',
    'message',
    'logentry',
    'params',
    'tags',
    'user',
    'id',
    'contexts',
    'trace',
    'trace_id',
    'span_id',
    'data',
    'spans',
    'items',
    'attributes',
    'links',
    'timestamp',
    'start_timestamp',
    'breadcrumbs',
    'request',
    'headers',
    'url',
    'fingerprint',
    'sdk',
    'settings',
    'measurements',
    'sid',
    'attrs',
    'aggregates',
    'exited',
    'discarded_events',
    'quantity',
    'monitor_slug',
    'monitor_config',
    'status',
    'duration',
    'csp-report',
    'body',
    'blocked-uri',
    'profile',
    'samples',
    'replay_id',
    'segment_id',
    'urls',
    'name',
    'feedback',
    'extra',
    'ingest_settings',
    'password',
    'cookie',
    '__proto__',
    'constructor',
    'toString',
  ),
  fc.string(),
)
const { value: anyValue } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      1.5,
      -1,
      1e300,
      '',
      'a'.repeat(32),
      'b'.repeat(16),
      '{{auto}}',
      'Mozilla/5.0 (X11; Linux)',
      'ok',
    ),
    fc.string(),
    fc.double(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
  ),
}))

describe('an item with arbitrary JSON', () => {
  it.each(types)('%s becomes rows or an outcome and never throws', type => {
    fc.assert(
      fc.property(anyValue, fc.dictionary(key, anyValue, { maxKeys: 3 }), (payload, envelope) => {
        const record = makeRecord([{ type, payload }], envelope)
        const { rows, outcomes, faults } = processRecord(record, testContext)
        expect(faults).toEqual([])
        const kept = Object.values(rows).reduce((sum, list) => sum + list.length, 0)
        expect(kept + outcomes.length).toBeGreaterThan(0)
      }),
      { numRuns: 150, seed: 20261115 },
    )
  })

  it('all items of one envelope are accounted for, even those that are not JSON', () => {
    const item = fc.record({ type: fc.constantFrom(...types), payload: fc.oneof(anyValue, fc.string()) })
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 8 }), items => {
        const { items: counted, faults } = processRecord(makeRecord(items), testContext)
        expect(faults).toEqual([])
        expect([...counted.values()].reduce((sum, count) => sum + count, 0)).toBe(items.length)
      }),
      { numRuns: 150, seed: 20261115 },
    )
  })
})
