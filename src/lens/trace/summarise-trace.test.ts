import { expect, test } from 'vitest'
import { buildTraceTree } from './build-trace-tree.ts'
import { summariseTrace } from './summarise-trace.ts'
import type { TraceSpan } from './trace-span.ts'
import { vitalMarks } from './vital-marks.ts'

const span = (id: string, startMs: number, durationMs: number, more: Partial<TraceSpan> = {}): TraceSpan => ({
  ...{ id, parentId: '', segmentId: '', isSegment: true, segmentName: '', startUs: startMs * 1e3 },
  ...{ durationUs: durationMs * 1e3, name: id, op: 'http.server', place: 'server', projectId: 1, clock: '', path: '' },
  ...{ isFailed: false, isPrefetch: false, isSdkTransport: false, isUnclocked: false },
  ...more,
})

test('a trace is about its longest page view or request, and overlapping requests count once', () => {
  const query = { isSegment: false, parentId: 'b', op: 'db' }
  const spans = [
    span('a', 10, 50),
    span('b', 20, 100),
    span('q', 30, 5, query),
    span('r', 40, 7, { ...query, isFailed: true }),
  ]
  const summary = summariseTrace(buildTraceTree(spans).roots)
  expect(summary.main?.id).toBe('b')
  expect(summary).toMatchObject({
    serverUs: 110_000,
    queryCount: 2,
    queryUs: 12_000,
    failedCount: 1,
    places: ['server'],
  })
})

test('vitals are marked where they were decided, on the corrected clock', () => {
  const load = span('p', 100, 900, { op: 'pageload', place: 'browser', clock: 'browser' })
  const click = span('i', 5_000, 90, { op: 'ui.interaction.click', place: 'browser', clock: 'browser' })
  const measured = [
    {
      id: 'p',
      vitals: new Map([
        ['lcp', 616],
        ['cls', 0.3],
        ['unknown', 1],
      ]),
    },
    { id: 'i', vitals: new Map([['inp', 240]]) },
    { id: 'gone', vitals: new Map([['fcp', 1]]) },
  ]
  expect(vitalMarks([load, click], measured, new Map([['browser', 10_000]]))).toEqual([
    { name: 'lcp', label: 'LCP', value: 616, verdict: 'good', atUs: 726_000 },
    { name: 'inp', label: 'INP', value: 240, verdict: 'middle', atUs: 5_100_000 },
    { name: 'cls', label: 'CLS', value: 0.3, verdict: 'poor', atUs: null },
  ])
})
