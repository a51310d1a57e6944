/** Replays against the real engine: summaries and moments as digest writes them, and the list that searches them. */
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { processRecord } from '#digest/process-record.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { KeyCursor } from '#domain/events/list-filter.ts'
import { deleteReplay } from '#domain/replays/delete-replay.ts'
import { describeMoment, tellWhatUserDid } from '#domain/replays/describe-replay.ts'
import { findReplay, listSegments } from '#domain/replays/find-replay.ts'
import { listJourney } from '#domain/replays/list-journey.ts'
import { listMoments } from '#domain/replays/list-moments.ts'
import { listReplayErrors } from '#domain/replays/list-replay-errors.ts'
import { listReplayLogs } from '#domain/replays/list-replay-logs.ts'
import { countReplays, listReplays } from '#domain/replays/list-replays.ts'
import type { ReplayFilter } from '#domain/replays/replay-condition.ts'
import type { InboxRecord } from '#inbox/record.ts'
import { keepErrorReplays } from '#jobs/keep-error-replays.ts'
import { parseSearch } from '#search/parse-search.ts'
import { replayFields } from '#search/replay-fields.ts'
import { languageOf } from '#search/search-language.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import { encodeRows, insertColumns } from '#store/telemetry/encode-rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { makeRecord, testContext } from '../make-record.ts'
import { readCapture } from '../read-capture.ts'
import { type Acme, openAcme } from './open-acme.ts'

const hourMs = 3_600_000
const recorded = '9b0bf414728341df8bac5e8db3f37fda'
const recordedAt = readCapture('next-replay/007').head.receivedAt
let acme: Acme
let telemetry: Telemetry
let viewer: Viewer

beforeAll(async () => {
  acme = await openAcme(recordedAt + hourMs)
  ;({ telemetry, viewer } = acme)
  const files = await readdir(new URL('../fixtures/captures/next-replay/', import.meta.url))
  for (const file of files.filter(name => name.endsWith('.body')).sort()) {
    const name = `next-replay/${file.slice(0, -5)}`
    const record = readCapture(name)
    await take(name, { ...record, head: { ...record.head, projectId: viewer.projects[0]?.id ?? 0 } })
  }
  for (const visit of visits)
    for (const segment of visit.segments) await take(`${visit.id}/${segment.segment_id}`, sent(visit, segment))
})

afterAll(() => acme?.stop())

async function take(name: string, record: InboxRecord): Promise<void> {
  const context = { recordId: name, retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
  const { rows } = processRecord(record, context)
  for (const table of ['events', 'spans', 'logs', 'replays', 'replay_moments'] as const) {
    const own = rows[table] ?? []
    if (own.length === 0) continue
    const result = await telemetry.insert({
      table,
      columns: insertColumns(table),
      body: encodeRows(table, own as never, name),
      token: `${name}/${table}`,
    })
    if (result.kind !== 'done') throw new Error(result.message)
  }
}

type Segment = {
  segment_id: number
  urls?: string[]
  error_ids?: string[]
  user?: object
  events?: object[]
  release?: string
  replay_type?: string
}
type Visit = { id: string; startedAt: number; segments: Segment[] }

const seconds = (ms: number) => ms / 1_000
const crumb = (at: number, category: string, more: object) => ({
  type: 5,
  timestamp: at,
  data: { tag: 'breadcrumb', payload: { timestamp: seconds(at), category, ...more } },
})
const clickOn = (at: number, selector: string) =>
  crumb(at, 'ui.click', { message: selector, data: { nodeId: 7, node: { tagName: 'button' } } })

const firstAt = recordedAt - 20 * 60_000
/** Two visits; the first lost its second segment. */
const visits: Visit[] = [
  {
    id: 'a'.repeat(32),
    startedAt: firstAt,
    segments: [
      {
        segment_id: 0,
        urls: ['https://shop.example/', 'https://shop.example/cart'],
        user: { id: 'u1', email: 'ada@shop.example' },
        release: 'web@1',
        events: [
          { type: 4, timestamp: firstAt, data: { href: 'https://shop.example/', width: 10, height: 10 } },
          clickOn(firstAt + 1_000, 'body > a.cart'),
        ],
      },
      {
        segment_id: 2,
        urls: ['https://shop.example/checkout'],
        error_ids: ['e'.repeat(32)],
        events: [
          clickOn(firstAt + 9_000, 'form > button.pay'),
          crumb(firstAt + 9_000, 'ui.slowClickDetected', {
            message: 'form > button.pay',
            data: {
              nodeId: 7,
              node: { tagName: 'button' },
              endReason: 'timeout',
              timeAfterClickMs: 7_000,
              clickCount: 6,
            },
          }),
          crumb(firstAt + 9_500, 'console', { level: 'error', message: 'no carrier for express' }),
        ],
      },
    ],
  },
  {
    id: 'b'.repeat(32),
    startedAt: firstAt + 60_000,
    segments: [
      { segment_id: 0, urls: ['https://shop.example/cart'], events: [clickOn(firstAt + 61_000, 'body > a.cart')] },
    ],
  },
]

function sent({ id, startedAt }: Visit, { events = [], ...segment }: Segment): InboxRecord {
  const payload = {
    type: 'replay_event',
    replay_id: id,
    replay_start_timestamp: seconds(startedAt),
    timestamp: seconds(startedAt) + 5 * (segment.segment_id + 1),
    ...segment,
  }
  const recording = Buffer.concat([
    Buffer.from(`{"segment_id":${segment.segment_id}}\n`),
    deflateSync(JSON.stringify(events)),
  ])
  return makeRecord(
    [
      { type: 'replay_event', payload },
      { type: 'replay_recording', payload: recording },
    ],
    { event_id: id },
    { projectId: viewer.projects[0]?.id ?? 0, receivedAt: recordedAt },
  )
}

function ask(text: string, more: Partial<ReplayFilter> = {}): ReplayFilter {
  const parsed = parseSearch(text, languageOf(replayFields))
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  return { terms: parsed.terms, rangeMs: 24 * hourMs, sort: 'newest', ...more }
}
const found = async (text: string, more: Partial<ReplayFilter> = {}) =>
  (await listReplays(viewer, ask(text, more))).replays.map(({ replayId }) => replayId[0])

test('a replay is the union of its segments, and says which are missing', async () => {
  expect(await findReplay(viewer, 'a'.repeat(32))).toMatchObject({
    urls: ['https://shop.example/', 'https://shop.example/cart', 'https://shop.example/checkout'],
    errors: 1,
    clicks: 2,
    rageClicks: 1,
    deadClicks: 1,
    activity: 4,
    release: 'web@1',
    user: { id: 'u1', email: 'ada@shop.example' },
    startedAt: firstAt,
    endedAt: firstAt + 15_000,
    segmentCount: 3,
    missingSegments: [1],
  })
  expect(await findReplay(viewer, 'c'.repeat(32))).toBeNull()
  expect(await findReplay(viewer, "' OR 1")).toBeNull()
})

test('a recorded visit of the shop has its clicks, its error and its five segments', async () => {
  const replay = await findReplay(viewer, recorded)
  if (!replay) throw new Error('not found')
  expect(replay).toMatchObject({
    clicks: 2,
    segmentCount: 5,
    missingSegments: [],
    browser: expect.stringMatching(/^Chrome/),
  })
  expect((await listSegments(viewer, replay)).map(({ segment }) => segment)).toEqual([0, 1, 2, 3, 4])
  const [error] = await listReplayErrors(viewer, replay)
  expect(error).toMatchObject({ title: expect.stringContaining('Error'), isServer: false })
  const moments = await listMoments(viewer, replay)
  const words = moments.flatMap(moment => describeMoment(moment) ?? []).map(({ verb, what }) => `${verb} ${what}`)
  expect(words).toEqual(['Open /?replay=1', 'Click button#inc', 'Click button#throw'])
  expect(error && error.at >= replay.startedAt && error.at <= replay.endedAt).toBe(true)
})

test('a dead click stands for its click, and ten lines tell what the user did', async () => {
  const replay = await findReplay(viewer, 'a'.repeat(32))
  if (!replay) throw new Error('not found')
  const moments = await listMoments(viewer, replay)
  expect(moments.map(({ kind }) => kind)).toEqual(['page', 'click', 'rage_click', 'console'])
  const extras = [{ at: firstAt + 10_000, verb: 'Error', what: 'TypeError: no carrier' }]
  expect(tellWhatUserDid(moments, { until: firstAt + 10_000, extras })).toEqual([
    '-10 s  Open /',
    '-9.0 s  Click a.cart',
    '-1.0 s  Rage click button.pay (6 times)',
    '-0.5 s  Console no carrier for express (error)',
    '0 s  Error TypeError: no carrier',
  ])
})

test.each([
  ['', '9ba'.split('').sort().reverse().join('')],
  ['click:button.pay', 'a'],
  ['click:a.cart', 'ba'],
  ['!click:button.pay', '9b'],
  ['url:/checkout', 'a'],
  ['url:/cart !url:/checkout', 'b'],
  ['user:ada@shop.example', 'a'],
  ['user:u1', 'a'],
  ['user:*shop.example', 'a'],
  ['has:user.email errors:>0', 'a'],
  ['rage:>0', 'a'],
  ['dead:>0 OR url:/cart', 'ba'],
  ['duration:>12s url:/', 'a9'],
  ['console:carrier', 'a'],
  ['request:_rsc', '9'],
  ['release:web@1', 'a'],
  ['error:Error', '9'],
  ['checkout', 'a'],
  [`id:${'b'.repeat(32)}`, 'b'],
  ['click:nothing', ''],
])('the search %j finds %j', async (text, expected) => {
  const ids = await found(text)
  expect(ids.sort()).toEqual([...expected].sort())
  expect(await countReplays(viewer, ask(text))).toBe(ids.length)
})

test('the list is sorted by what its columns show, and pages through all replays', async () => {
  expect(await found('url:shop.example', { sort: 'newest' })).toEqual(['b', 'a'])
  expect(await found('url:shop.example', { sort: 'longest' })).toEqual(['a', 'b'])
  expect((await found('', { sort: 'rage' }))[0]).toBe('a')
  const pages: (string | undefined)[] = []
  let after: KeyCursor | undefined
  do {
    const page = await listReplays(viewer, ask('', after ? { after } : {}), 1)
    pages.push(...page.replays.map(({ replayId }) => replayId[0]))
    after = page.next ?? undefined
  } while (after)
  expect(pages).toEqual(['9', 'b', 'a'])
})

test('a replay is in the range in which it began', async () => {
  expect(await found('url:shop.example', { to: firstAt + 30_000 })).toEqual(['a'])
  expect(await found('url:shop.example', { to: firstAt - 1 })).toEqual([])
})

test('a replay with an error is kept as long as the error, and one that the SDK recorded for an error from the start', async () => {
  const files = new Map<string, string>()
  const blobs = memoryBlobs(files)
  const rowsOf = () =>
    telemetry.query({
      query: `SELECT substring(toString(replay_id), 1, 1) AS id, max(retention_days) AS days, uniqExact(retention_days) AS classes, count() AS segments,
                any(splitByChar('/', recording_blob)[1]) AS kind
              FROM replays GROUP BY id ORDER BY id LIMIT 10`,
      schema: z.object({
        id: z.string(),
        days: z.coerce.number(),
        classes: z.coerce.number(),
        segments: z.coerce.number(),
        kind: z.string(),
      }),
    })
  const moments = () =>
    telemetry.query({
      query: 'SELECT count() AS n FROM replay_moments LIMIT 1',
      schema: z.object({ n: z.coerce.number() }),
    })
  const replay = await findReplay(viewer, 'a'.repeat(32))
  if (!replay) throw new Error('not found')
  for (const { blob } of await listSegments(viewer, replay)) files.set(blob, 'recorded')
  const before = await moments()
  const keep = (days: number) =>
    keepErrorReplays(
      { telemetry, layout: { kind: 'single' }, blobs, checkRoom: async () => undefined },
      { errors: 90, rest: 30 },
      recordedAt + days * 86_400_000,
    )
  expect(await keep(20)).toBe(0)
  // Of the three, two have an error.
  expect(await keep(28)).toBe(2)
  expect(await keep(28)).toBe(0)
  expect(await rowsOf()).toEqual([
    { id: '9', days: 90, classes: 1, segments: 5, kind: 'error-replay' },
    { id: 'a', days: 90, classes: 1, segments: 2, kind: 'error-replay' },
    { id: 'b', days: 30, classes: 1, segments: 1, kind: 'replay' },
  ])
  expect(await moments()).toEqual(before)
  expect([...files.keys()].every(key => key.startsWith('error-replay/'))).toBe(true)
  expect((await findReplay(viewer, 'a'.repeat(32)))?.errors).toBe(1)

  const [first] = visits
  if (!first) throw new Error('no visit')
  const buffered = sent({ ...first, id: 'f'.repeat(32) }, { segment_id: 0, replay_type: 'buffer' })
  const { rows, blobs: written } = processRecord(buffered, testContext)
  expect(rows.replays).toMatchObject([{ retention_days: testContext.retentionDays.errors }])
  expect(written[0]?.key).toMatch(/^error-replay\//)
})

test('errors that name a replay count like those that it names, also from before the recording', async () => {
  const mine = 'b'.repeat(32)
  const visit = visits[1]
  const contexts = { replay: { replay_id: mine } }
  const report = (id: string, at: number, more: object) =>
    take(
      `early/${id}`,
      makeRecord(
        [{ type: 'event', payload: { event_id: id.repeat(32), timestamp: seconds(at), contexts, ...more } }],
        { event_id: id.repeat(32) },
        { projectId: viewer.projects[0]?.id ?? 0, receivedAt: recordedAt },
      ),
    )
  const start = visit?.startedAt ?? 0
  await report('1', start - 10 * 60_000, { message: 'too early' })
  await report('2', start + 2_000, { message: 'within' })
  await report('3', start + 3_000, { message: 'also elsewhere', contexts: { replay: { replay_id: 'd'.repeat(32) } } })
  const replay = await findReplay(viewer, mine)
  if (!replay) throw new Error('not found')
  expect([replay.errors, replay.errorIds.toSorted()]).toEqual([2, ['1'.repeat(32), '2'.repeat(32)]])
  const errors = await listReplayErrors(viewer, replay)
  expect(errors.map(({ title, isOwn }) => [title, isOwn])).toEqual([
    ['too early', true],
    ['within', true],
  ])
  for (const text of ['errors:2', 'errors:>1', 'has:error url:/cart errors:<3 errors:>1']) {
    expect(await found(text)).toEqual(['b'])
    expect(await countReplays(viewer, ask(text))).toBe(1)
  }
  expect((await found('', { sort: 'errors' }))[0]).toBe('b')
  expect((await listReplays(viewer, ask('errors:2'))).replays[0]?.errors).toBe(2)
})

test('a deleted replay leaves no row and no file', async () => {
  const files = new Map<string, string>()
  const replay = await findReplay(viewer, 'a'.repeat(32))
  if (!replay) throw new Error('not found')
  for (const { blob } of await listSegments(viewer, replay)) files.set(blob, 'recorded')
  const context = { db: acme.control.db, actor: 'test', now: () => viewer.now }
  const stores = { telemetry, layout: { kind: 'single' as const }, blobs: memoryBlobs(files) }
  const remove = () => deleteReplay(context, { viewer, stores, replayId: replay.replayId })
  expect(await remove()).toEqual({ ok: true })
  expect(files.size).toBe(0)
  expect(await findReplay(viewer, replay.replayId)).toBeNull()
  expect(await listMoments(viewer, replay)).toEqual([])
  expect(await found('url:shop.example')).toEqual(['b'])
  expect(await remove()).toEqual({ ok: false, code: 'replay_not_found' })
})

test('replays of one visitor that overlap or follow within minutes are one journey, with the log lines of each', async () => {
  const [at, minute] = [firstAt - 5 * hourMs, 60_000]
  const visitOf = async (letter: string, startedAt: number, user: object) => {
    const visit = { id: letter.repeat(32), startedAt, segments: [] }
    await take(visit.id, sent(visit, { segment_id: 0, urls: [`https://shop.example/${letter}`], user }))
    return visit.id
  }
  const grace = { id: 'u9' }
  const second = await visitOf('d', at + 2_000, grace) // another tab
  const first = await visitOf('c', at, grace)
  const third = await visitOf('7', at + 10 * minute, grace) // after a break
  await visitOf('8', at + 40 * minute, grace) // another visit
  await visitOf('6', at + 1_000, { id: 'u8' })
  for (const id of [first, second, third]) {
    const replay = await findReplay(viewer, id)
    if (!replay) throw new Error('not found')
    const journey = await listJourney(viewer, replay)
    expect(journey.map(({ replayId }) => replayId)).toEqual([first, second, third])
    expect(journey[0]?.urls).toEqual(['https://shop.example/c'])
  }
  const stranger = await findReplay(viewer, await visitOf('5', at, { ip_address: '198.51.100.9' }))
  if (!stranger) throw new Error('not found')
  const browser = { ...stranger, browser: 'Chrome 156.0', os: 'Linux' }
  expect(await listJourney(viewer, stranger)).toEqual([]) // of no known browser
  expect(await listJourney(viewer, browser)).toEqual([])

  const line = (body: string, traceId: string, replayId: string) => ({
    ...{ timestamp: seconds(at + 1_000), level: 'info', body, severity_number: 9, trace_id: traceId },
    attributes: { 'sentry.replay_id': { value: replayId, type: 'string' } },
  })
  const items = [line('paid', '1'.repeat(32), first), line('elsewhere', '2'.repeat(32), second)]
  const headers = { item_count: items.length, content_type: 'application/vnd.sentry.items.log+json' }
  await take(
    'lines',
    makeRecord(
      [{ type: 'log', headers, payload: { items } }],
      {},
      { projectId: viewer.projects[0]?.id ?? 0, receivedAt: recordedAt },
    ),
  )
  const replay = await findReplay(viewer, first)
  if (!replay) throw new Error('not found')
  const bodies = async (traceIds: string[]) =>
    (await listReplayLogs(viewer, { ...replay, traceIds })).map(({ body }) => body)
  expect(await bodies([])).toEqual(['paid'])
  expect((await bodies(['2'.repeat(32)])).sort()).toEqual(['elsewhere', 'paid'])
})

test('a segment that arrives twice is counted once', async () => {
  const id = 'c'.repeat(32)
  const [first] = visits
  if (!first) throw new Error('no visit')
  const visit = { ...first, id }
  const read = async () => {
    const replay = await findReplay(viewer, id)
    if (!replay) throw new Error('not found')
    return { replay, moments: await listMoments(viewer, replay) }
  }
  for (const segment of visit.segments) await take(`${id}/${segment.segment_id}`, sent(visit, segment))
  const once = await read()
  expect(once.replay).toMatchObject({ clicks: 2, rageClicks: 1, deadClicks: 1 })
  for (const copy of [1, 2])
    for (const segment of visit.segments) await take(`${id}/${segment.segment_id}/${copy}`, sent(visit, segment))
  expect(await read()).toEqual(once)
  expect((await found('clicks:2')).includes('c')).toBe(true)
  for (const text of ['clicks:>2', 'rage:>1', 'dead:>1']) expect(await found(text), text).not.toContain('c')
  expect(await listSegments(viewer, once.replay)).toHaveLength(2)
})

function memoryBlobs(files: Map<string, string>): Blobs {
  return {
    put: async (key, source) =>
      void files.set(key, source.kind === 'bytes' ? Buffer.from(source.bytes).toString() : ''),
    copy: async (from, to) => void (files.has(from) && files.set(to, files.get(from) ?? '')),
    read: async key => (files.has(key) ? Readable.from([Buffer.from(files.get(key) ?? '')]) : null),
    size: async key => files.get(key)?.length ?? null,
    remove: async key => void files.delete(key),
    removeDay: async () => undefined,
    removeOfProject: async () => undefined,
    listDays: async () => [],
  }
}
