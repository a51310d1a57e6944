/** Log lines against the real engine: search, pages, counts and context. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createViewer, type Viewer } from '#domain/access/viewer.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { listSearchValues, listTagKeys } from '#domain/issues/list-search-values.ts'
import { countLogs } from '#domain/logs/count-logs.ts'
import { type ExportedLine, readLogExport } from '#domain/logs/export-logs.ts'
import { findLog, listContext, listTraceLines } from '#domain/logs/find-log.ts'
import { patternId } from '#domain/logs/line-pattern.ts'
import { linesPerPage, listLogs, windowsOf } from '#domain/logs/list-logs.ts'
import type { LogCursor, LogFilter } from '#domain/logs/log-condition.ts'
import { type MatchedLine, matchesLine } from '#domain/logs/match-line.ts'
import { listPatterns } from '#domain/logs/patterns/list-patterns.ts'
import { tailBatch } from '#domain/logs/tail/tail-line.ts'
import { formatPosition, readPosition } from '#domain/logs/tail/tail-position.ts'
import { parseSearch } from '#search/parse-search.ts'
import { logFields } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { createTailHub } from '#web/live/tail-hub.ts'
import { followTail, type TailEvent } from '#web/live/tail-stream.ts'
import { createUuids } from '../create-ids.ts'
import { makeLog } from '../make-log.ts'
import { type Acme, openAcme } from './open-acme.ts'

const now = Date.now()
const minuteUs = 60_000_000
const traceId = '0123456789abcdef0123456789abcdef'
const replayId = 'fedcba9876543210fedcba9876543210'
const nextId = createUuids('logs')
let acme: Acme
let viewer: Viewer

const at = (minutesAgo: number): number => now * 1_000 - minutesAgo * minuteUs
const line = (minutesAgo: number, body: string, given: Partial<LogRow> = {}): LogRow => {
  const template = given.template ?? ''
  return makeLog({
    timestamp: at(minutesAgo),
    log_id: nextId().replaceAll('-', ''),
    body,
    project_id: acme.projectId,
    pattern: BigInt(`0x${patternId({ template, body })}`).toString(),
    ...given,
  })
}

let rows: LogRow[] = []

beforeAll(async () => {
  acme = await openAcme(now)
  ;({ viewer } = acme)
  const server = {
    server_name: 'web-1',
    sdk_name: 'sentry.javascript.nextjs',
    release: 'web@1',
    environment: 'production',
  }
  rows = [
    line(1, 'Payment timed out after 30 s', { ...server, level: 'error', trace_id: traceId, route: '/checkout' }),
    line(2, 'payment accepted', { ...server, trace_id: traceId, numbers: { 'cart.size': 3, total: 12.5 } }),
    line(3, 'order 17 placed', {
      ...server,
      template: 'order %s placed',
      attributes: { plan: 'gold', 'cart.size': '3' },
    }),
    line(4, 'hydrated', {
      sdk_name: 'sentry.javascript.nextjs',
      level: 'debug',
      replay_id: replayId,
      attributes: { plan: 'free' },
    }),
    line(5, 'geo lookup', { sdk_name: 'sentry.javascript.vercel-edge', level: 'warn', user_id: 'u1', user_hash: '7' }),
    line(6, 'ÜBERGABE request_id=a1 100%', { ...server, level: 'fatal', span_id: BigInt('0xab').toString() }),
    line(7, '', { server_name: 'web-2', level: 'trace', origin: 'auto.log.console', attributes: { constructor: 'x' } }),
    line(8, 'a\nb "quoted" \\ back_slash', { server_name: 'web-2', attributes: { 'odd key': 'v,"1"' } }),
  ]
  const write = { table: 'logs' as const, batchId: 'inbox:1', mayHaveArrived: false, isSuspect: false }
  expect(await writeBatch(acme.telemetry, { ...write, rows })).toEqual({ kind: 'done', refused: [] })
  const theirs = rows.map(row => ({ ...row, project_id: 999 }))
  await writeBatch(acme.telemetry, { ...write, batchId: 'inbox:2', rows: theirs })
})

afterAll(() => acme?.stop())

const search = (text: string): LogFilter['terms'] => {
  const parsed = parseSearch(text, languageOf(logFields))
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  return parsed.terms
}
const filterOf = (text: string, given: Partial<LogFilter> = {}): LogFilter => ({
  terms: search(text),
  rangeMs: 3_600_000,
  ...given,
})
const bodiesOf = async (text: string): Promise<string[]> =>
  (await listLogs(viewer, filterOf(text))).lines.map(({ body }) => body)

const asMatched = (row: LogRow): MatchedLine => ({
  projectId: row.project_id,
  atUs: row.timestamp,
  level: row.level,
  body: row.body,
  template: row.template,
  traceId: row.trace_id,
  spanId: BigInt(row.span_id).toString(16).padStart(16, '0'),
  replayId: row.replay_id,
  pattern: BigInt(row.pattern).toString(16).padStart(16, '0'),
  route: row.route,
  release: row.release,
  environment: row.environment,
  serverName: row.server_name,
  userId: row.user_id,
  hasUser: row.user_hash !== '0',
  origin: row.origin,
  sdkName: row.sdk_name,
  sdkVersion: row.sdk_version,
  attributes: row.attributes,
  numbers: row.numbers,
})

describe('a search', () => {
  test.each([
    ['', 8],
    ['payment', 2],
    ['PAYMENT', 2],
    ['pay', 0],
    ['pay*', 2],
    ['"timed out"', 1],
    ['"out timed"', 0],
    ['!payment', 6],
    ['timed payment', 1],
    ['übergabe', 1],
    ['request_id', 1],
    ['request_id=a1', 1],
    ['100%', 1],
    ['"100_"', 0],
    ['back_slash', 1],
    ['message:"timed o"', 1],
    ['message:[hydr,lookup]', 2],
    ['level:error', 1],
    ['level:>=warn', 3],
    ['level:>=warning', 3],
    ['level:<debug', 1],
    ['!level:[info,debug]', 4],
    ['side:browser', 1],
    ['side:edge', 1],
    ['!side:server', 2],
    ['route:/checkout', 1],
    ['release:web@*', 4],
    ['host:web-2', 2],
    [`trace:${traceId}`, 2],
    [`trace:${traceId.toUpperCase()}`, 2],
    ['trace:0123*', 2],
    ['trace:nonsense', 0],
    [`replay:${replayId}`, 1],
    ['span:00000000000000ab', 1],
    ['has:trace', 2],
    ['has:user', 1],
    ['has:replay', 1],
    ['has:cart.size', 2],
    ['has:route', 1],
    ['!has:release', 4],
    ['cart.size:3', 2],
    ['cart.size:>2', 1],
    ['total:12.5', 1],
    ['plan:[gold,free]', 2],
    ['plan:go*', 1],
    ['constructor:x', 1],
    ['toString:x', 0],
    ['"odd key":"v,\\"1\\""', 1],
    ['template:"order %s placed"', 1],
    ['origin:auto.log.console', 1],
    ['user.id:u1', 1],
    ['project:web', 8],
    ['project:other', 0],
    ['timestamp:-5m', 5],
    ['level:error OR level:fatal', 2],
    ['!(level:error OR plan:gold)', 6],
    ['environment:production level:info', 2],
  ])('%s finds %i lines, in the engine and in memory', async (text, count) => {
    const found = await bodiesOf(text)
    expect(found).toHaveLength(count)
    const terms = await resolveTerms(viewer, search(text))
    expect(rows.filter(row => matchesLine(asMatched(row), terms)).map(({ body }) => body)).toEqual(found)
  })

  test('by the id of a pattern finds its lines', async () => {
    expect(await bodiesOf(`pattern:${patternId({ template: 'order %s placed', body: '' })}`)).toEqual([
      'order 17 placed',
    ])
    expect(await bodiesOf(`!pattern:${patternId({ template: '', body: 'payment accepted' })}`)).toHaveLength(7)
  })

  test('says what it takes', () => {
    const faultOf = (text: string) => {
      const parsed = parseSearch(text, languageOf(logFields))
      return parsed.ok ? null : parsed.faults[0]?.message
    }
    expect(faultOf('level:loud')).toMatch('"loud" is not a level. Use trace, debug, info, warn, error or fatal.')
    expect(faultOf('level:>[warn,error]')).toMatch('level takes one value.')
    expect(faultOf('pattern:x')).toMatch('16 hex digits')
    expect(faultOf('cart.size:>many')).toMatch('compared with a number')
  })

  test('is suggested from what was received', async () => {
    expect((await listTagKeys(viewer, 'logs', 'pl')).map(({ value }) => value)).toEqual(['plan'])
    expect(await listSearchValues(viewer, { of: 'logs', key: 'server_name', prefix: 'web' })).toEqual([
      { value: 'web-1', count: 4 },
      { value: 'web-2', count: 2 },
    ])
  })
})

describe('pages', () => {
  test('go from the newest to the oldest line without a gap or a double, under the time of the first', async () => {
    const many = Array.from({ length: 250 }, (_, index) =>
      line(0, `line ${index}`, {
        timestamp: at(30) - Math.floor(index / 5),
        sequence: index % 3,
        server_name: 'paged',
      }),
    )
    const write = { table: 'logs' as const, mayHaveArrived: false, isSuspect: false }
    await writeBatch(acme.telemetry, { ...write, batchId: 'inbox:3', rows: many })
    const seen: string[] = []
    let after: LogCursor | undefined
    for (let page = 0; page < 4; page++) {
      const found = await listLogs(viewer, filterOf('host:paged', { after }))
      seen.push(...found.lines.map(({ id }) => id))
      if (page === 0) {
        expect(found.lines).toHaveLength(linesPerPage)
        await writeBatch(acme.telemetry, {
          ...write,
          batchId: 'inbox:4',
          rows: [line(-1, 'newer', { server_name: 'paged' })],
        })
      }
      after = found.next ?? undefined
      if (!after) break
    }
    const order = many.toSorted(
      (a, b) => b.timestamp - a.timestamp || b.sequence - a.sequence || (a.log_id < b.log_id ? 1 : -1),
    )
    expect(new Set(seen).size).toBe(250)
    expect(seen.map(id => many.find(({ log_id }) => log_id === id)?.timestamp)).toEqual(order.map(row => row.timestamp))
  })

  test('show the chosen columns, of fields, texts and numbers', async () => {
    const { lines } = await listLogs(viewer, filterOf('plan:gold OR total:12.5'), {
      columns: ['plan', 'total', 'host', 'server_name'],
    })
    expect(lines.map(({ cells }) => cells)).toEqual([
      ['', '12.5', '', 'web-1'],
      ['gold', '', '', 'web-1'],
    ])
  })

  test('are read from a few parts of the range, which cover all of it', () => {
    for (const range of [
      { from: 0, to: 1 },
      { from: 5, to: 1_000 },
      { from: 0, to: 2_592_000_000 },
    ]) {
      const windows = windowsOf(range)
      expect(windows[0]?.to).toBe(range.to)
      expect(windows.at(-1)?.from).toBe(range.from)
      expect(windows.slice(1).map(window => window.to)).toEqual(windows.slice(0, -1).map(window => window.from))
    }
  })
})

describe('counts', () => {
  const facetOf = async (text: string, key: string, keys?: string[]) => {
    const { facets } = await countLogs(viewer, filterOf(text, { rangeMs: 20 * 60_000 }), keys)
    const facet = facets.find(each => each.key === key)
    return facet && Object.fromEntries(facet.values.map(({ value, count }) => [value, count]))
  }

  test('over time are those of the matching lines, by level', async () => {
    const { total, levels, from, to, stepMs } = await countLogs(
      viewer,
      filterOf('level:>=warn', { rangeMs: 20 * 60_000 }),
    )
    expect(total).toBe(3)
    expect(levels.map(({ level }) => level)).toEqual(['warn', 'error', 'fatal'])
    for (const { level, counts } of levels) {
      const row = rows.find(each => each.level === level)
      expect(counts.indexOf(1)).toBe(Math.floor(((row?.timestamp ?? 0) / 1_000 - from) / stepMs))
    }
    expect(to - from).toBe(20 * 60_000)
  })

  test('of a facet ignore what the search says about it, and nothing else', async () => {
    expect(await facetOf('', 'level')).toEqual({ trace: 1, debug: 1, info: 3, warn: 1, error: 1, fatal: 1 })
    expect(await facetOf('level:error', 'level')).toEqual({ trace: 1, debug: 1, info: 3, warn: 1, error: 1, fatal: 1 })
    expect(await facetOf('level:error', 'server_name')).toEqual({ 'web-1': 1 })
    expect(await facetOf('level:error host:web-2', 'server_name')).toEqual({ 'web-1': 1 })
    expect(await facetOf('payment', 'route')).toEqual({ '/checkout': 1, '': 1 })
    expect(await facetOf('', 'side')).toEqual({ server: 6, browser: 1, edge: 1 })
  })

  test('of attributes count texts and numbers', async () => {
    expect(await facetOf('', 'cart.size', ['cart.size', 'plan'])).toEqual({ '': 6, '3': 2 })
    expect(await facetOf('plan:gold', 'plan', ['plan'])).toEqual({ '': 6, gold: 1, free: 1 })
  })
})

describe('one line', () => {
  const address = (row: LogRow | undefined) => ({ atUs: row?.timestamp ?? 0, id: row?.log_id ?? '' })

  test('has everything that is stored of it, for those who may see its project', async () => {
    const found = await findLog(viewer, address(rows[1]))
    expect(found).toMatchObject({
      body: 'payment accepted',
      traceId,
      numbers: { 'cart.size': 3, total: 12.5 },
      side: 'server',
    })
    const { organization, role, user } = viewer
    const stranger = createViewer({ organization, role, user, now, projects: [] }, acme)
    expect(await findLog(stranger, address(rows[1]))).toBeNull()
  })

  test('in context has the lines before and after it of the same host or trace, whatever the search', async () => {
    const here = await findLog(viewer, address(rows[1]))
    if (!here) throw new Error('the line is missing')
    const host = await listContext(viewer, here, 'host', 50)
    expect(host.before.map(({ body }) => body)).toEqual(['ÜBERGABE request_id=a1 100%', 'order 17 placed'])
    expect(host.after.map(({ body }) => body)).toEqual(['Payment timed out after 30 s'])
    const trace = await listContext(viewer, here, 'trace', 50)
    expect([...trace.before, ...trace.after].map(({ body }) => body)).toEqual(['Payment timed out after 30 s'])
    expect((await listContext(viewer, here, 'project', 2)).before.map(({ body }) => body)).toEqual([
      'hydrated',
      'order 17 placed',
    ])
  })

  test('of a trace around a time are the lines that its request wrote', async () => {
    const found = await listTraceLines(viewer, { traceId, at: at(1.5) / 1_000, limit: 5 })
    expect(found.map(({ body }) => body)).toEqual(['payment accepted', 'Payment timed out after 30 s'])
  })
})

describe('patterns', () => {
  test('count the lines of each, with their trend and what was before', async () => {
    const rowsOf = (minutesAgo: number, count: number, body: (index: number) => string, given: Partial<LogRow> = {}) =>
      Array.from({ length: count }, (_, index) => line(minutesAgo, body(index), { server_name: 'patterned', ...given }))
    const all = [
      ...rowsOf(45, 4, index => `cart ${index} locked`),
      ...rowsOf(45, 2, index => `no express quote for ${['Norway', 'Sweden'][index]}`, { level: 'warn' }),
      ...rowsOf(75, 1, () => 'cart 9 locked'),
      ...rowsOf(45, 3, index => `order ${index} of ${index}`, { template: 'order %s of %s', level: 'error' }),
      ...rowsOf(45, 1, () => 'from before', { pattern: '0' }),
    ]
    await writeBatch(acme.telemetry, {
      table: 'logs',
      batchId: 'inbox:90',
      mayHaveArrived: false,
      isSuspect: false,
      rows: all,
    })
    const filter = filterOf('host:patterned', { rangeMs: 60 * 60_000 })
    const since = { release: 'web@2', at: now - 60 * 60_000 }
    const { patterns, total, distinct, older } = await listPatterns(viewer, filter, since)
    expect([total, distinct, older]).toEqual([9, 4, 1])
    expect(
      patterns.map(({ text, count, countBefore, level, isNew }) => [text, count, countBefore, level, isNew]),
    ).toEqual([
      ['cart <*> locked', 4, 1, 'info', false],
      ['order <*> of <*>', 3, 0, 'error', true],
      ['no express quote for <*>', 2, 0, 'warn', true],
    ])
    expect(patterns[0]?.trend.reduce((sum, each) => sum + each, 0)).toBe(4)
    const ids = patterns[2]?.ids ?? []
    expect((await listLogs(viewer, filterOf(`pattern:[${ids.join()}]`))).lines).toHaveLength(2)
  })
})

describe('an export', () => {
  test('has every matching line once, newest first, with all its attributes', async () => {
    const found: ExportedLine[] = []
    for await (const page of readLogExport(viewer, filterOf('host:web-1 OR host:paged'))) found.push(...page)
    const times = found.map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted().reverse())
    expect(found.filter(({ server_name }) => server_name === 'web-1')).toHaveLength(4)
    expect(found.find(({ message }) => message === 'payment accepted')).toMatchObject({
      attributes: { 'cart.size': 3, total: 12.5 },
      trace: traceId,
      project: 'web',
    })
  })
})

describe('the live tail', () => {
  const columns = ['plan']
  const pushed = (batch: number, bodies: string[], given: Partial<LogRow> = {}) =>
    tailBatch(
      { inboxId: 'inbox', batch, receivedAt: now },
      bodies.map(body => line(0, body, given)),
    )
  /** A hub whose digest has committed batch 1, which `beforeAll` has stored, and pushes all later ones. */
  function openHub() {
    const hub = createTailHub({
      ask: isOn => void (isOn && hub.receive({ type: 'tailing', inboxId: 'inbox', batch: 1 })),
      readCommitted: async () => new Map([['inbox', 1]]),
    })
    return hub
  }
  type Hub = ReturnType<typeof openHub>

  async function follow(hub: Hub, text: string, since: string | null) {
    const events: TailEvent[] = []
    let clock = now
    const reader = await followTail({
      ...{ hub, viewer, columns, since, filter: { terms: search(text) } },
      send: event => void events.push(event),
      end: () => events.push({ id: 'ended', lines: [], matched: 0 }),
      now: () => clock,
    })
    return {
      ...reader,
      events,
      bodies: () => events.flatMap(({ lines }) => lines.map(({ body }) => body)),
      wait: (ms: number) => (clock += ms),
    }
  }

  test('shows what is committed from now on, if the search finds it', async () => {
    const hub = openHub()
    const reader = await follow(hub, 'level:error', null)
    hub.receive({ type: 'lines', batch: pushed(2, ['quiet']) })
    hub.receive({ type: 'lines', batch: pushed(3, ['loud'], { level: 'error', attributes: { plan: 'gold' } }) })
    hub.receive({ type: 'lines', batch: pushed(4, ['theirs'], { level: 'error', project_id: 999 }) })
    await expect.poll(reader.bodies).toEqual(['loud'])
    expect(reader.events[0]?.lines[0]).toMatchObject({ cells: ['gold'], side: 'server' })
    reader.stop()
  })

  test('continues where a reader was: from the buffer, or else from the engine', async () => {
    const hub = openHub()
    const first = await follow(hub, '', null)
    hub.receive({ type: 'lines', batch: pushed(2, ['two']) })
    await expect.poll(first.bodies).toEqual(['two'])
    first.stop()
    hub.receive({ type: 'lines', batch: pushed(3, ['three']) })
    const again = await follow(hub, '', first.events[0]?.id ?? '')
    hub.receive({ type: 'lines', batch: pushed(4, ['four']) })
    await expect.poll(again.bodies).toEqual(['three', 'four'])
    again.stop()
    const old = await follow(openHub(), 'host:web-2', formatPosition(new Map([['inbox', 0]]), now))
    await expect.poll(old.bodies).toHaveLength(2)
    expect(old.events[0]?.matched).toBe(2)
    old.stop()
  })

  test('shows a part of a flood and says how much there is', async () => {
    const hub = openHub()
    const reader = await follow(hub, '', null)
    hub.receive({
      type: 'lines',
      batch: pushed(
        2,
        Array.from({ length: 3_000 }, (_, index) => `line ${index}`),
      ),
    })
    await expect.poll(() => reader.events.length).toBe(1)
    expect(reader.events[0]).toMatchObject({ matched: 3_000 })
    expect(reader.bodies()).toHaveLength(200)
    reader.wait(500)
    hub.receive({
      type: 'lines',
      batch: pushed(
        3,
        Array.from({ length: 150 }, () => 'later'),
      ),
    })
    await expect.poll(() => reader.bodies().length).toBe(300)
    reader.stop()
  })

  test('reads what another node commits, and what was committed while digest restarted', async () => {
    const hub = openHub()
    const reader = await follow(hub, 'host:web-2', null)
    hub.receive({ type: 'tailing', inboxId: 'inbox', batch: 4 })
    // Batch 4 was stored by the test of pages; it has no such host.
    hub.receive({ type: 'lines', batch: pushed(5, ['after the restart'], { server_name: 'web-2' }) })
    await expect.poll(reader.bodies).toEqual(['after the restart'])
    expect(readPosition(reader.position())?.position.get('inbox')).toBe(5)
    reader.stop()
  })

  test('a project that becomes hidden falls silent', async () => {
    const hub = openHub()
    const reader = await follow(hub, '', null)
    reader.hide(new Set([acme.projectId]))
    hub.receive({ type: 'lines', batch: pushed(2, ['secret']) })
    await expect.poll(() => readPosition(reader.position())?.position.get('inbox')).toBe(2)
    reader.hide(new Set())
    hub.receive({ type: 'lines', batch: pushed(3, ['open']) })
    await expect.poll(reader.bodies).toEqual(['open'])
    reader.stop()
  })

  test('positions are read as they are written, and nothing else is', () => {
    const text = formatPosition(new Map([['a1', 3]]), 7)
    expect(readPosition(text)).toEqual({ at: 7, position: new Map([['a1', 3]]) })
    for (const wrong of ['', '7~', "7~a'.1", '7~a.1~', 'x~a.1', `7~${'a.1~'.repeat(9_000)}`])
      expect(readPosition(wrong)).toBeNull()
  })
})
