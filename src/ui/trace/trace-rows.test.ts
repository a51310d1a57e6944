import { describe, expect, it } from 'vitest'
import { buildTraceTree } from '#domain/traces/tree/build-trace-tree.ts'
import type { TraceSpan } from '#domain/traces/tree/trace-span.ts'
import { packTrace } from './pack-trace.ts'
import { rowKey, shapeTrace, type TraceShape, troubledRows, unfoldTo, visibleRows } from './trace-rows.ts'

function span(id: string, parentId: string, startMs: number, more: Partial<TraceSpan> = {}): TraceSpan {
  return {
    id,
    parentId,
    segmentId: '',
    isSegment: false,
    segmentName: '',
    startUs: startMs * 1e3,
    durationUs: 9_000,
    name: id,
    op: 'db',
    side: 'server',
    projectId: 1,
    clock: more.side ?? 'server',
    path: '',
    isFailed: false,
    isPrefetch: false,
    isSdkTransport: false,
    isUnclocked: false,
    ...more,
  }
}

function shapeOf(spans: TraceSpan[]): TraceShape {
  const { roots, startUs, endUs } = buildTraceTree(spans)
  const columns = packTrace({
    roots,
    startUs,
    endUs,
    logsBySpan: new Map(),
    marksBySpan: new Map(),
    errorsBySpan: new Map([['f', 2]]),
    laneOf: ({ side }) => ({ side, note: '' }),
  })
  return shapeTrace(JSON.parse(JSON.stringify(columns)))
}

const draw = (shape: TraceShape, toggled = new Set<string>(), filter = '') =>
  visibleRows(shape, toggled, filter).map(row =>
    row.kind === 'lane'
      ? `[${shape.columns.lanes[row.lane]?.side}]`
      : `${'.'.repeat(row.depth)}${shape.columns.id[row.index] || '×'}`,
  )

const queries = Array.from({ length: 5 }, (_, index) => span(`q${index}`, 's', 20 + index * 10, { name: 'SELECT' }))
const spans = [
  span('b', '', 0, { side: 'browser', durationUs: 900_000 }),
  span('s', 'b', 10, { durationUs: 80_000 }),
  ...queries,
  span('f', 's', 75, { isFailed: true }),
  span('c', 'b', 100, { side: 'browser' }),
]

describe('the rows of a waterfall', () => {
  it('have a heading where the side changes, and fold repeats', () => {
    expect(draw(shapeOf(spans))).toEqual(['[browser]', 'b', '[server]', '.s', '..×', '..f', '[browser]', '.c'])
  })

  it('unfold only the folds around a row to reveal it', () => {
    const shape = shapeOf(spans)
    const row = shape.byId.get('q3') ?? -1
    const opened = unfoldTo(shape, row, new Set([rowKey(shape, shape.byId.get('s') ?? -1)]))
    expect(draw(shape, opened)).toContain('...q3')
    expect(unfoldTo(shape, row, opened)).toEqual(opened)
  })

  it('fold a branch with all its descendants', () => {
    const shape = shapeOf(spans)
    expect(draw(shape, new Set(['s']))).toEqual(['[browser]', 'b', '[server]', '.s', '[browser]', '.c'])
  })

  it('filter to matches and their ancestors, also inside folds', () => {
    expect(draw(shapeOf(spans), new Set(), 'sel').filter(row => row.includes('q'))).toHaveLength(5)
    expect(draw(shapeOf(spans), new Set(), 'nothing')).toEqual([])
  })

  it('list the rows that failed or have errors', () => {
    const shape = shapeOf(spans)
    expect(troubledRows(shape).map(row => shape.columns.id[row])).toEqual(['f'])
    expect(shape.errors.get(shape.byId.get('f') ?? -1)).toBe(2)
  })
})
