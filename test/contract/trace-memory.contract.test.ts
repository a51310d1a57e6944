/** What counts once per page view, though its spans come in two batches: over commits, repeats and what is still under way. */
import { beforeEach, expect, test } from 'vitest'
import { commitBatch } from '#digest/commit-batch.ts'
import { filterBatch } from '#digest/filter-batch.ts'
import type { PreparedBatch } from '#digest/prepared-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { rollUpBatch } from '#digest/roll-up-batch.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld, type World } from './workflow-world.ts'

const noEngine = { query: () => Promise.reject(new Error('there is no engine here')) }
const trace = 'c'.repeat(32)
const [segment, other] = ['b'.repeat(16), 'd'.repeat(16)]
const value = (given: string | boolean) => ({ value: given, type: typeof given })

type Wire = { id: string; op: string; name?: string; attributes?: Record<string, string | boolean> }

/** A span of `/items/[id]` as SDK 11 streams it. */
const span = ({ id, op, name = '/items/[id]', attributes = {} }: Wire) => ({
  name,
  span_id: id,
  trace_id: trace,
  is_segment: id === segment || op === 'http.server',
  start_timestamp: 1_794_700_000,
  end_timestamp: 1_794_700_000.05,
  status: 'ok',
  attributes: Object.fromEntries(
    Object.entries({
      'sentry.op': op,
      'sentry.sdk.name': 'sentry.javascript.nextjs',
      'sentry.segment.id': op === 'http.server' ? id : segment,
      'sentry.segment.name': name,
      'sentry.segment.name.source': 'route',
      ...attributes,
    }).map(([key, each]) => [key, value(each)]),
  ),
})
const fetched = (id: string, path: string) =>
  span({ id, op: 'http.client', attributes: { 'url.full': `https://shop.example.com${path}` } })
const navigation = span({ id: segment, op: 'navigation', attributes: { 'navigation.type': 'router.push' } })
const prefetched = (id: string, headers: Record<string, string>) =>
  span({
    id,
    op: 'http.server',
    name: 'GET /items/[id]',
    attributes: {
      'http.route': '/items/[id]',
      'url.full': `https://shop.example.com/items/7?_rsc=${id}`,
      'http.request.header.next-router-prefetch': '1',
      ...headers,
    },
  })
const tree = prefetched('e'.repeat(16), { 'http.request.header.next-router-segment-prefetch': '/_tree' })
const whole = prefetched('f'.repeat(16), {})

onEachEngine(({ newAcme }) => {
  let world: World
  let batches: number
  let at: number
  beforeEach(async () => {
    world = await makeWorld(await newAcme())
    batches = 0
    at = world.clock.now
  })

  type Options = { before?: PreparedBatch; isRepeat?: boolean }
  const prepare = (spans: object[], { before, isRepeat = false }: Options = {}) => {
    if (!isRepeat) batches += 1
    const headers = { item_count: spans.length, content_type: 'application/vnd.sentry.items.span.v2+json' }
    const record = makeRecord(
      [{ type: 'span', headers, payload: { version: 2, items: spans } }],
      {},
      { projectId: world.web, receivedAt: at },
    )
    return filterBatch({
      control: world.control,
      telemetry: noEngine,
      inboxId: 'inbox',
      seal: { batch: batches, segment: 1, start: 0, endSegment: 1, end: batches },
      records: [{ processed: processRecord(record, testContext), spool: null, receivedAt: at }],
      previous: before ?? null,
      mayHaveArrived: isRepeat,
      isRepeated: () => false,
    })
  }
  const digest = async (...spans: object[]) => {
    const batch = await prepare(spans)
    await commitBatch(world.control, 'inbox', batch)
    return batch
  }
  const count = (...from: PreparedBatch[]): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const { measure, detail, count: more } of from.flatMap(batch => rollUpBatch(batch))) {
      const key = `${measure} ${detail}`.trim()
      counts[key] = (counts[key] ?? 0) + more
    }
    return counts
  }
  const remembered = () => world.control.db.selectFrom('trace_memory').select(['trace', 'memory', 'seen_at']).execute()

  const once = { 'navigation push': 1, 'fetch rsc': 2, 'cold push': 1 }
  const one = fetched('1'.repeat(16), '/items/7?_rsc=a')
  const two = fetched(other, '/items/7/reviews?_rsc=b')

  test('a navigation and a prefetch that come in two batches count once', async () => {
    expect(count(await digest(one), await digest(two, navigation))).toEqual(once)
    expect(count(await digest(tree), await digest(whole))).toEqual({ prefetch: 1 })
  })

  test('a batch that is not committed yet is remembered too, and a repeat counts the same', async () => {
    const first = await prepare([one, tree])
    const second = await prepare([two, navigation, whole], { before: first })
    expect(count(first, second)).toEqual({ ...once, prefetch: 1 })
    await commitBatch(world.control, 'inbox', first)
    const again = await prepare([two, navigation, whole], { isRepeat: true })
    expect(rollUpBatch(again)).toEqual(rollUpBatch(second))
    await commitBatch(world.control, 'inbox', again)
    const memories = await remembered()
    await commitBatch(world.control, 'inbox', again)
    expect(await remembered()).toEqual(memories)
  })

  test('a batch that is never committed leaves nothing behind', async () => {
    await prepare([one, navigation])
    expect(await remembered()).toEqual([])
  })

  test('after some minutes a trace is forgotten, by the time of records and in the same way for a batch under way', async () => {
    const first = await digest(tree)
    at += 6 * 60_000
    const late = await prepare([whole], { before: first })
    expect(count(late)).toEqual({ prefetch: 1 })
    await commitBatch(world.control, 'inbox', late)
    expect((await remembered()).map(({ seen_at }) => seen_at)).toEqual([at])
    expect(count(await digest({ ...navigation, trace_id: 'a'.repeat(32) }))).toEqual({ 'navigation push': 1 })
  })

  test('a route is known for 30 days after it was learned, and then learned again', async () => {
    const inReactRouter = (id: string, op: string, attributes: Record<string, string>) =>
      span({
        id,
        op,
        name: '/items/:id',
        attributes: { 'sentry.sdk.name': 'sentry.javascript.react-router', ...attributes },
      })
    const url = { 'url.full': 'https://shop.example.com/items/7' }
    const view = { ...inReactRouter(segment, 'pageload', url), name: '/items/:id' }
    const request = (trace_id: string) => ({
      ...inReactRouter('9'.repeat(16), 'http.server', { ...url, 'sentry.segment.name.source': 'url' }),
      trace_id,
    })
    const routeOf = async (trace_id: string) => (await digest(request(trace_id))).rows.spans[0]?.route
    expect(await routeOf('1'.repeat(32))).toBe('(unmatched)')
    await digest(view)
    expect(await routeOf('2'.repeat(32))).toBe('/items/[id]')
    at += 31 * 86_400_000
    expect(await routeOf('3'.repeat(32))).toBe('(unmatched)')
    await digest({ ...view, trace_id: '4'.repeat(32) })
    expect(await routeOf('5'.repeat(32))).toBe('/items/[id]')
  })
})
