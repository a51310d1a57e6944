import { expect, test } from 'vitest'
import { pickAround } from './fold-trace.ts'
import type { TraceNode } from './trace-span.ts'

const node = (id: string, durationUs: number, children: TraceNode[] = []): TraceNode => ({
  kind: 'span',
  span: null,
  id,
  name: id,
  startUs: 0,
  durationUs,
  notes: [],
  children,
})
const draw = (roots: TraceNode[], id: string) =>
  pickAround(roots, id).map(({ node: { id: name }, depth }) => '.'.repeat(depth) + name)

test('a span is shown with its ancestors and the slowest spans around it', () => {
  const many = Array.from({ length: 30 }, (_, index) => node(`q${index}`, index))
  const roots = [node('load', 900, [node('request', 500, [node('server', 400, [...many, node('here', 3)])])])]
  const rows = draw(roots, 'here')
  expect(rows.slice(0, 3)).toEqual(['load', '.request', '..server'])
  expect(rows).toContain('...here')
  expect(rows).toContain('...q29')
  expect(rows.length).toBe(8)
})

test('a missing span gives no rows', () => {
  expect(draw([node('a', 1)], 'x')).toEqual([])
})
