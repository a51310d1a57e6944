import { expect, test } from 'vitest'
import type { TraceSpan } from './list-trace-spans.ts'
import { nestSpans, repairParents, type SpanTree } from './list-trace-spans.ts'

const span = (span_id: string, parent_span_id = ''): TraceSpan => ({
  project_id: 1,
  span_id,
  parent_span_id,
  segment_id: '',
  is_segment: false,
  segment_name: '',
  name: '',
  op: '',
  status: 'ok',
  platform: 'javascript',
  segment_url: '',
  sdk_name: '',
  environment: '',
  release: '',
  start_us: 0,
  duration_us: 0,
  attributes: {},
  numbers: {},
})
const shape = ({ span: { span_id }, children }: SpanTree): string =>
  children.length === 0 ? span_id : `${span_id}(${children.map(shape).join(' ')})`
const nest = (...spans: TraceSpan[]) => nestSpans(spans).map(shape)

test('spans are nested under their parents in the order of their start', () => {
  expect(nest(span('a'), span('b', 'a'), span('c', 'a'), span('d', 'b'))).toEqual(['a(b(d) c)'])
})

test('a span without its parent starts a tree', () => {
  expect(nest(span('a'), span('b', 'gone'), span('c', 'b'))).toEqual(['a', 'b(c)'])
})

test('a cycle of parents loses no span, and a duplicate span appears once', () => {
  expect(nest(span('a', 'b'), span('b', 'a'), span('c', 'c'), span('c', 'c'))).toEqual(['c', 'a(b)'])
})

test('a very deep chain can be serialized as JSON', () => {
  const chain = Array.from({ length: 20_000 }, (_, each) => span(String(each), each === 0 ? '' : String(each - 1)))
  expect(() => JSON.stringify(nestSpans(chain))).not.toThrow()
})

test('a page load is above the requests that it caused, as in the waterfall', () => {
  const segment = { is_segment: true, segment_url: 'https://shop.example/slow?a=1' }
  const server = { ...segment, op: 'http.server', platform: 'node', sdk_name: 'sentry.javascript.nextjs' }
  const spans = [
    { ...span('middleware'), ...server, op: 'middleware' },
    { ...span('server'), ...server },
    { ...span('query', 'server'), platform: 'node', segment_id: 'server' },
    { ...span('load', 'query'), ...segment, op: 'pageload' },
    { ...span('request', 'load'), op: 'browser.request', segment_id: 'load' },
    { ...span('paint', 'load'), segment_id: 'load' },
  ]
  expect(nestSpans(repairParents(spans)).map(shape)).toEqual(['load(request(middleware server(query)) paint)'])
})
