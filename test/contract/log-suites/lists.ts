/** Pages, counts, patterns and exports of log lines. */
import { describe, expect, test } from 'vitest'
import { explore } from '#domain/explore/explore.ts'
import { countLogs, type Facet } from '#domain/logs/count-logs.ts'
import { patternId } from '#domain/logs/line-pattern.ts'
import { linesPerPage, listLogs, windowsOf } from '#domain/logs/list-logs.ts'
import type { LogCursor } from '#domain/logs/log-condition.ts'
import { listPatterns } from '#domain/logs/patterns/list-patterns.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { acme, at, filterOf, line, now, rows, viewer, write } from './log-world.ts'

export function listSuite(): void {
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
      for (let page = 0; page < 6; page++) {
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
      expect(seen.map(id => many.find(({ log_id }) => log_id === id)?.timestamp)).toEqual(
        order.map(row => row.timestamp),
      )
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
      expect(await facetOf('level:error', 'level')).toEqual({
        trace: 1,
        debug: 1,
        info: 3,
        warn: 1,
        error: 1,
        fatal: 1,
      })
      expect(await facetOf('level:error', 'server_name')).toEqual({ 'web-1': 1 })
      expect(await facetOf('level:error host:web-2', 'server_name')).toEqual({ 'web-1': 1 })
      expect(await facetOf('payment', 'route')).toEqual({ '/checkout': 1, '': 1 })
      expect(await facetOf('', 'side')).toEqual({ server: 6, browser: 1, edge: 1 })
    })

    test('over days are those of the lines too, at the edges of an hour and with every filter that the page offers', async () => {
      const spread = [25, 59, 61, 300, 3_000, 4_319, 4_321].map((minutesAgo, index) =>
        line(minutesAgo, `day line ${index}`, {
          server_name: index % 2 === 0 ? 'spread-1' : 'spread-2',
          level: index % 3 === 0 ? 'error' : 'info',
          environment: index === 2 ? 'staging' : 'production',
          weight: index === 3 ? 10 : 1,
        }),
      )
      const write = { table: 'logs' as const, mayHaveArrived: false, isSuspect: false }
      await writeBatch(acme.telemetry, { ...write, batchId: 'inbox:91', rows: spread })
      const rangeMs = 3 * 86_400_000
      const inRange = spread.filter(({ timestamp }) => timestamp >= (now + 1 - rangeMs) * 1_000)
      const sumOf = (of: LogRow[]) => of.reduce((sum, { weight }) => sum + weight, 0)
      for (const [text, of] of [
        ['host:spread-*', inRange],
        ['host:spread-* level:error', inRange.filter(({ level }) => level === 'error')],
        ['host:[spread-1,spread-2] !level:info', inRange.filter(({ level }) => level !== 'info')],
        ['host:spread-2 side:server project:web', inRange.filter(({ server_name }) => server_name === 'spread-2')],
      ] as const) {
        // A text makes the engine count line by line.
        const [byHour, byLine] = [text, `${text} day*`].map(each => countLogs(viewer, filterOf(each, { rangeMs })))
        const [short, long] = [await byHour, await byLine]
        expect([text, short?.total, long?.total]).toEqual([text, sumOf([...of]), sumOf([...of])])
        // The counts of hosts ignore what the search says about them, and the text is not about hosts.
        const others = (facets: Facet[] = []) => facets.filter(({ key }) => key !== 'server_name')
        expect(others(short?.facets), text).toEqual(others(long?.facets))
        for (const { level, counts } of short?.levels ?? []) {
          const expected = counts.map((_, step) => {
            const from = (short?.from ?? 0) + step * (short?.stepMs ?? 0)
            const isIn = ({ timestamp }: LogRow) =>
              timestamp / 1_000 >= from && timestamp / 1_000 < from + (short?.stepMs ?? 0)
            return sumOf(of.filter(row => row.level === level && isIn(row)))
          })
          expect(counts, `${text} ${level}`).toEqual(expected)
        }
      }
      const inStaging = await countLogs(viewer, filterOf('host:spread-*', { rangeMs, environment: 'staging' }))
      expect(inStaging.total).toBe(1)
      // These are counted line by line, whatever they are called.
      for (const key of ['project', 'sdk_name', 'sdk.name'])
        expect((await countLogs(viewer, filterOf('host:spread-*', { rangeMs }), [key])).facets[0]?.key).toBe(key)
    })

    test('of attributes count texts and numbers', async () => {
      expect(await facetOf('', 'cart.size', ['cart.size', 'plan'])).toEqual({ '': 6, '3': 2 })
      expect(await facetOf('plan:gold', 'plan', ['plan'])).toEqual({ '': 6, gold: 1, free: 1 })
    })
  })

  describe('patterns', () => {
    test('count the lines of each, with their trend and what was before', async () => {
      const rowsOf = (
        minutesAgo: number,
        count: number,
        body: (index: number) => string,
        given: Partial<LogRow> = {},
      ) =>
        Array.from({ length: count }, (_, index) =>
          line(minutesAgo, body(index), { server_name: 'patterned', ...given }),
        )
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
      // As an alert counts them.
      const counted = await explore(
        viewer,
        { dataset: 'logs', fields: ['count()'], query: `pattern:[${ids.join()}]`, sort: [] },
        { from: now - 3_600_000, to: now },
        { limit: 1, offset: 0 },
      )
      expect(counted).toMatchObject({ ok: true, rows: [{ 'count()': 2 }] })
    })

    test('of JSON are those of its message, also of lines stored before it was read', async () => {
      const json = (msg: string, more = {}) => JSON.stringify({ level: 30, ...more, msg })
      const keys = '{"level":<*>,"msg":<*>}'
      // Lines of JSON with the same keys had one pattern before.
      const former = { server_name: 'json', pattern: BigInt(`0x${patternId({ template: keys, body: '' })}`).toString() }
      const host = { server_name: 'json' }
      await write([
        line(200, json('cache warmed'), former),
        line(120, json('disk full'), former),
        line(120, json('cache warmed'), former),
        ...Array.from({ length: 3 }, (_, index) => line(110, json(`request ${index} completed`), host)),
        ...Array.from({ length: 2 }, () =>
          line(110, json('payment refused by bank', { req: 'x'.repeat(2_000) }), host),
        ),
      ])
      const since = { release: 'web@2', at: now - 150 * 60_000 }
      const { patterns } = await listPatterns(viewer, filterOf('host:json', { rangeMs: 180 * 60_000 }), since)
      // The keys of the first were known before the deploy, with whatever message.
      expect(patterns.map(({ text, count, isNew }) => [text, count, isNew])).toEqual([
        ['request <*> completed', 3, false],
        ['payment refused by bank', 2, true],
        [keys, 2, false],
      ])
    })
  })
}
