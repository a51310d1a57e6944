import { expect, test } from 'vitest'
import { previousTrace } from './previous-trace.ts'

const [traceId, spanId] = ['a'.repeat(32), 'b'.repeat(16)]
const link = (more: object) => ({ trace_id: traceId, span_id: spanId, ...more })
const linked = (...links: unknown[]) => previousTrace({ attribute: '', links: JSON.stringify(links) })

test.each([
  ['streamed', { sampled: true, attributes: { 'sentry.link.type': { value: 'previous_trace', type: 'string' } } }],
  ['of transactions', { attributes: { 'sentry.link.type': 'previous_trace' } }],
])('links of spans, %s, lead to the trace before', (_, more) => {
  expect(linked({ trace_id: traceId }, link(more))).toEqual({ traceId, spanId })
})

test('the attribute of the SDK leads there too', () => {
  expect(previousTrace({ attribute: `${traceId}-${spanId}-1`, links: '' })).toEqual({ traceId, spanId })
})

test('other links, traces that were not sampled, and what is not a link lead nowhere', () => {
  const attributes = { 'sentry.link.type': 'previous_trace' }
  expect(linked(link({ attributes: { 'sentry.link.type': 'consumer' } }), link({}))).toBeNull()
  expect(linked(link({ attributes, sampled: false }), link({ attributes, span_id: '../x' }), null, 7)).toBeNull()
  expect(previousTrace({ attribute: `${traceId}-${spanId}-0`, links: '{' })).toBeNull()
})
