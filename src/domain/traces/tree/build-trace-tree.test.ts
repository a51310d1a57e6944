import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildTraceTree } from './build-trace-tree.ts'
import type { TraceNode, TraceSpan } from './trace-span.ts'

const ms = 1_000
function span(
  id: string,
  parentId: string,
  startMs: number,
  durationMs: number,
  more: Partial<TraceSpan> = {},
): TraceSpan {
  return {
    id,
    parentId,
    segmentId: '',
    isSegment: false,
    segmentName: '',
    startUs: startMs * ms,
    durationUs: durationMs * ms,
    name: id,
    op: 'function',
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

/** `a(b c(d))` */
function draw(nodes: TraceNode[]): string {
  return nodes
    .map(({ kind, id, name, notes, children, durationUs }) => {
      const own =
        kind === 'missing'
          ? `?${name || id}`
          : kind === 'gap'
            ? `~${durationUs / ms}`
            : kind === 'repeat'
              ? `×${children.length}`
              : id
      const marks = notes.map(note => `!${note}`).join('')
      return own + marks + (children.length > 0 && kind !== 'repeat' ? `(${draw(children)})` : '')
    })
    .join(' ')
}
const tree = (...spans: TraceSpan[]) => draw(buildTraceTree(spans).roots)

describe('a trace as a tree', () => {
  it('does not depend on the order of the spans', () => {
    const a = span('a', '', 1, 100, { isSegment: true })
    const [b, c, d] = [span('b', 'a', 2, 20), span('c', 'a', 30, 20), span('d', 'c', 31, 5)]
    expect(tree(a, b, c, d)).toBe('a(b c(d))')
    expect(tree(d, c, b, a)).toBe('a(b c(d))')
  })

  it('keeps the longer of two spans with the same id', () => {
    expect(buildTraceTree([span('a', '', 1, 5), span('a', '', 1, 9)]).roots.map(node => node.durationUs)).toEqual([
      9_000,
    ])
  })

  it('puts children of a missing segment under a row with its name', () => {
    const inner = { segmentId: 'seg', segmentName: 'GET /items/[id]' }
    expect(tree(span('b', 'seg', 5, 5, inner), span('c', 'seg', 12, 5, inner))).toBe('?GET /items/[id](b c)')
  })

  it('keeps an orphan in its segment, under a row for the missing parent', () => {
    const segment = span('seg', '', 1, 100, { isSegment: true, segmentId: 'seg' })
    const orphan = span('b', 'lost', 5, 5, { segmentId: 'seg' })
    expect(tree(segment, orphan)).toBe('seg(?lost(b))')
  })

  it('puts segments of one request side by side if their caller is missing', () => {
    const of = { isSegment: true }
    expect(tree(span('m', 'browser', 1, 2, of), span('r', 'browser', 4, 50, of))).toBe('?browser(m r)')
  })

  it('breaks a cycle of parents at its first span', () => {
    expect(tree(span('a', 'c', 5, 1), span('b', 'a', 6, 1), span('c', 'b', 3, 9))).toBe(
      'c!cycle(b)'.replace('(b)', '(a(b))'),
    )
    expect(tree(span('a', 'a', 5, 1))).toBe('a!cycle')
  })

  it('marks a span that starts after its parent ended', () => {
    expect(tree(span('a', '', 1, 10), span('b', 'a', 40, 5))).toBe('a(b!late)')
  })

  it('puts a span with its own clock at its parent’s start', () => {
    const { roots, endUs } = buildTraceTree([span('a', '', 1, 10), span('b', 'a', 9_000, 4, { isUnclocked: true })])
    expect(draw(roots)).toBe('a(b!unclocked)')
    expect(endUs).toBe(11_000)
  })

  it('adds a gap for unmeasured time between children', () => {
    expect(tree(span('a', '', 0, 1_000), span('b', 'a', 10, 100), span('c', 'a', 500, 400))).toBe('a(b ~390 c)')
    expect(tree(span('a', '', 0, 1_000), span('b', 'a', 10, 100), span('c', 'a', 190, 400))).toBe('a(b c)')
  })

  it('folds similar spans, but not those that failed or have children', () => {
    const queries = Array.from({ length: 12 }, (_, index) =>
      span(`q${index}`, 'a', 10 + index * 5, 4, { name: 'SELECT', op: 'db', isFailed: index === 3 }),
    )
    expect(tree(span('a', '', 0, 100), ...queries)).toBe('a(×11 q3)')
    expect(tree(span('a', '', 0, 100), ...queries, span('x', 'q0', 10, 1))).toBe('a(q0(x) ×10 q3)')
  })

  it('puts the server request under the page load that caused it', () => {
    const browser = { side: 'browser' as const }
    const request = { isSegment: true, path: '/items/1' }
    expect(
      tree(
        span('server', '', 21, 500, request),
        span('nameless', '', 2, 16, request),
        span('render', 'server', 30, 400),
        span('load', 'server', 0, 1_200, { ...browser, op: 'pageload', isSegment: true }),
        span('request', 'load', 1, 540, { ...browser, op: 'browser.request' }),
      ),
    ).toBe('load!turned(request(nameless!turned server!turned(render)))')
  })

  it('leaves a cached page alone, whose server span is the parent of many page loads', () => {
    const load = { side: 'browser' as const, op: 'pageload', isSegment: true }
    const spans = [span('s', '', 0, 10, { isSegment: true }), span('x', 's', 1, 5, load), span('y', 's', 2, 5, load)]
    expect(tree(...spans)).toBe('s(x y)')
  })

  it('handles a chain of twenty thousand spans', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      span(`s${index}`, index === 0 ? '' : `s${index - 1}`, index, 1),
    )
    expect(buildTraceTree(chain).roots.length).toBe(1)
  })

  it('contains every span exactly once, whatever its parents', () => {
    const id = constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    const any = record({
      id,
      parent: constantFrom('', 'a', 'b', 'c', 'd', 'e', 'f', 'x'),
      start: integer({ min: 0, max: 50 }),
    })
    assert(
      property(array(any, { maxLength: 12 }), spans => {
        const { roots } = buildTraceTree(spans.map(({ id, parent, start }) => span(id, parent, start, 5)))
        const drawn: string[] = []
        const waiting = [...roots]
        for (let node = waiting.pop(); node; node = waiting.pop()) {
          waiting.push(...node.children)
          if (node.kind === 'span') drawn.push(node.id)
        }
        expect(drawn.sort()).toEqual([...new Set(spans.map(each => each.id))].sort())
      }),
      { numRuns: 500 },
    )
  })
})

describe('clocks', () => {
  const call = { side: 'browser' as const, op: 'http.client' }
  it('are left alone without a contradiction', () => {
    const { shifts } = buildTraceTree([span('a', '', 100, 80, call), span('s', 'a', 120, 40, { isSegment: true })])
    expect([...shifts]).toEqual([])
  })

  it('a browser clock that is ahead is shifted until the server runs within its request', () => {
    const { shifts, roots } = buildTraceTree([
      span('a', '', 1_000, 80, call),
      span('s', 'a', 120, 40, { isSegment: true }),
    ])
    expect([...shifts]).toEqual([['browser', -900_000]])
    expect(roots[0]?.startUs).toBe(100_000)
  })

  it('a queued job may start much later', () => {
    const spans = [span('a', '', 0, 5, { op: 'queue.publish' }), span('j', 'a', 9_000, 5, { clock: 'worker' })]
    expect([...buildTraceTree(spans).shifts]).toEqual([])
  })

  it('a job that seems to start before it was queued is shifted', () => {
    const spans = [span('a', '', 500, 5, { op: 'queue.publish' }), span('j', 'a', 100, 5, { clock: 'worker' })]
    expect([...buildTraceTree(spans).shifts]).toEqual([['worker', 400_000]])
  })
})
