/** Rows whose route became known after they were stored: the job rewrites them, so that lists and sums say the same. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { moveRoutes } from '#jobs/move-routes.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { moveEvents, moveSpans } from '#store/telemetry/move-routes.ts'
import type { EventRow, SpanRow } from '#store/telemetry/rows.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { digestCaptures, type RouteCounts } from '../digest-captures.ts'
import { readFrameworkCaptures } from '../read-framework-captures.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'

let store: TelemetryUnderTest
beforeAll(async () => {
  store = await borrowTelemetry()
})
afterAll(() => store?.stop())

let stored: { event: EventRow; span: SpanRow } | null = null
const layout = { kind: 'single' } as const
const counted = z.object({ route: z.string(), n: z.coerce.number() })
const countBy = async (query: string): Promise<Record<string, number>> => {
  const rows = await store.telemetry.query({ query, schema: counted })
  return Object.fromEntries(rows.map(({ route, n }) => [route, n]))
}
const sumsOf = (counts: RouteCounts, ...measures: string[]) =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([route, own]) => {
      const n = Object.entries(own)
        .filter(([name]) => measures.includes(name.split(' ')[0] ?? ''))
        .reduce((sum, [, count]) => sum + count, 0)
      return n === 0 ? [] : [[route, n]]
    }),
  )

test('stored spans and errors have the routes that the sums have', async () => {
  // One by one, as they arrive: the server's half of a page comes first.
  const batches = [...readFrameworkCaptures('tss2').values()]
    .slice(0, 4)
    .flat()
    .map(record => [record])
  let moved = 0
  const ofBatch = `startsWith(batch_id, 'late ')`
  const sums = await digestCaptures(batches, {
    isAhead: true,
    write: async ({ rows, batchId }) => {
      const insert = { batchId: `late ${batchId}`, mayHaveArrived: false, isSuspect: false }
      const results = [
        await writeBatch(store.telemetry, { table: 'spans', rows: rows.spans, ...insert }),
        await writeEvents(store.telemetry, { rows: rows.events, ...insert }),
      ]
      for (const result of results) if (result.kind !== 'done') throw new Error(result.message)
    },
    finish: async control => {
      const stored = await control.db.selectFrom('route_move').select('kind').execute()
      moved = stored.length
      await moveRoutes({ control, telemetry: store.telemetry, layout })
      expect(await control.db.selectFrom('route_move').selectAll().execute()).toEqual([])
    },
  })
  expect(moved).toBeGreaterThan(3)
  const spans = (which: string) =>
    countBy(
      `SELECT route, count() AS n FROM spans WHERE project_id = 42 AND ${ofBatch} AND is_segment AND NOT is_prefetch AND ${which} AND route != '' GROUP BY route`,
    )
  expect(await spans(`op IN ('pageload', 'navigation')`)).toEqual(sumsOf(sums, 'page_load', 'navigation'))
  expect(await spans(`op = 'http.server' AND NOT is_sdk_transport`)).toEqual(sumsOf(sums, 'request'))
  for (const table of ['events', 'event_index'])
    expect(
      await countBy(
        `SELECT route, count() AS n FROM ${table} WHERE project_id = 42 AND ${ofBatch} AND kind = 'error' AND weight > 0 AND route != '' GROUP BY route`,
      ),
    ).toEqual(sumsOf(sums, 'error'))
  const children = await countBy(
    `SELECT child.route AS route, count() AS n FROM spans AS child
      INNER JOIN spans AS page ON page.trace_id = child.trace_id AND page.segment_id = child.segment_id
      WHERE child.project_id = 42 AND page.project_id = 42 AND page.is_segment AND NOT child.is_segment
        AND startsWith(child.batch_id, 'late ') AND startsWith(page.batch_id, 'late ')
        AND child.route = '${unmatchedRoute}' AND page.route != '${unmatchedRoute}' GROUP BY route`,
  )
  expect(children).toEqual({})
})

test('a route may be any text, and rows of other spans and projects stay as they are', async () => {
  const at = Date.UTC(2026, 10, 3)
  const trace = '0123456789abcdef'.repeat(2)
  const captured = [...readFrameworkCaptures('tss2').values()].flat().slice(0, 30)
  const span: { row: Record<string, unknown> | null } = { row: null }
  await digestCaptures([captured], {
    write: async ({ rows }) => {
      span.row ??= rows.spans.find(({ is_segment }) => is_segment) ?? null
    },
  })
  if (span.row === null) throw new Error('no segment is recorded')
  const make = (project_id: number, span_id: string) => ({
    ...span.row,
    project_id,
    span_id,
    segment_id: span_id,
    trace_id: trace,
    timestamp: at * 1e3,
    route: unmatchedRoute,
    op: 'http.server',
    is_segment: true,
  })
  const rows = [make(51, '1'), make(51, '2'), make(51, '18446744073709551615'), make(52, '1')]
  const written = await writeBatch(store.telemetry, {
    table: 'spans',
    rows: rows as never,
    batchId: 'odd:1',
    mayHaveArrived: false,
    isSuspect: false,
  })
  expect(written.kind).toBe('done')
  const odd = `/it's \\ "odd" {a:String} \u0000\n漢/[id]`
  const move = (id: string, route: string) => ({ project_id: 51, trace_id: trace, id, at, route })
  await moveSpans({ telemetry: store.telemetry, layout }, [move('1', odd), move('2', '/b')])
  // What isn't stored, or not any more, is no error.
  await moveEvents({ telemetry: store.telemetry, layout }, [move(trace, '/gone')])
  const found = await store.telemetry.query({
    query: `SELECT project_id, route FROM spans WHERE project_id IN (51, 52) ORDER BY project_id, span_id`,
    schema: z.object({ project_id: z.coerce.number(), route: z.string() }),
  })
  expect(found.map(({ project_id, route }) => [project_id, route])).toEqual([
    [51, odd],
    [51, '/b'],
    [51, unmatchedRoute],
    [52, unmatchedRoute],
  ])
})

test('the longest routes and the most rows fit into the engine’s statements', async () => {
  const captured = [...readFrameworkCaptures('tss2').values()].flat()
  await digestCaptures([captured], {
    write: async ({ rows }) => {
      const [event] = rows.events
      const [span] = rows.spans
      if (event === undefined || span === undefined) throw new Error('nothing is recorded')
      const insert = { batchId: 'long:1', mayHaveArrived: false, isSuspect: false }
      const events = [{ ...event, project_id: 53 }]
      await writeEvents(store.telemetry, { rows: events, ...insert })
      await writeBatch(store.telemetry, {
        table: 'spans',
        rows: [{ ...span, project_id: 53, is_segment: true }],
        ...insert,
      })
      stored = { event, span }
    },
    finish: async control => {
      if (stored === null) throw new Error('nothing was written')
      const { event, span } = stored
      const route = `/${'漢'.repeat(500)}/[id]`
      const move = (kind: 'span' | 'event', id: string, trace_id: string, at: number) => ({
        ...{ kind, project_id: 53, trace_id, id, at, route },
      })
      const others = Array.from({ length: 20 }, (_, at) => `${at}`.padStart(32, 'a'))
      await control.db
        .insertInto('route_move')
        .values([
          move('event', event.event_id, event.trace_id, event.timestamp),
          move('span', span.span_id, span.trace_id, Math.floor(span.timestamp / 1e3)),
          ...others.map((id, at) => move('event', id, event.trace_id, event.timestamp - at)),
          ...others.map((id, at) => move('span', `${at + 1}`, id, Math.floor(span.timestamp / 1e3))),
        ])
        .execute()
      await moveRoutes({ control, telemetry: store.telemetry, layout })
      expect(await control.db.selectFrom('route_move').selectAll().execute()).toEqual([])
      for (const table of ['events', 'event_index', 'spans'])
        expect(await countBy(`SELECT route, count() AS n FROM ${table} WHERE project_id = 53 GROUP BY route`)).toEqual({
          [route]: 1,
        })
    },
  })
})
