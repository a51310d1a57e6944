import { expect, test } from 'vitest'
import { foldRepeats, pickAround } from './fold-trace.ts'
import type { TraceNode, TraceSpan } from './trace-span.ts'

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

test('the files of a page are folded by their folder, and keep their names below it', () => {
  const file = (name: string): TraceNode => {
    const span: Partial<TraceSpan> = { op: 'resource.script', clock: 'page', isFailed: false, isSegment: false }
    return { ...node(name, 5), span: span as TraceSpan }
  }
  const chunks = ['a1', 'b2', 'c3', 'd4'].map(hash => file(`/_next/static/chunks/${hash}.js`))
  const rows = foldRepeats([...chunks, file('/hydrant-hydration.js')])
  expect(rows.map(({ kind, name }) => [kind, name])).toEqual([
    ['repeat', '/_next/static/chunks/'],
    ['span', '/hydrant-hydration.js'],
  ])
  expect(rows[0]?.children.map(({ name }) => name)).toEqual(chunks.map(({ name }) => name))
})
