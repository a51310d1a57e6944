/** Exports of log lines: complete, in order and without doubles, however many pages they have. */
import { describe, expect, test } from 'vitest'
import { type ExportEnd, type ExportedLine, exportLimits, readLogExport } from '#domain/logs/export-logs.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import type { LogFilter } from '#domain/logs/log-condition.ts'
import { filterOf, line, replayId, traceId, viewer, write } from './log-world.ts'

const { pageLines } = exportLimits

type Read = { lines: ExportedLine[]; pages: number; end: ExportEnd }

async function readAll(
  filter: LogFilter,
  { limits, onPage }: { limits?: Partial<typeof exportLimits>; onPage?: (page: number) => Promise<void> } = {},
): Promise<Read> {
  const pages = readLogExport(viewer, filter, { ...exportLimits, ...limits })
  const read: Read = { lines: [], pages: 0, end: { hasMore: false } }
  for (;;) {
    const next = await pages.next()
    if (next.done) return { ...read, end: next.value }
    read.lines.push(...next.value)
    read.pages++
    await onPage?.(read.pages)
  }
}

/** In the order of an export, as the store sorts ids of one time. */
const bodies = ({ lines }: Read): string[] => lines.map(({ message }) => message)

export function exportSuite(): void {
  describe('an export', () => {
    test('has every matching line once, newest first, with all its attributes', async () => {
      const { lines } = await readAll(filterOf('host:web-1 OR host:paged'))
      const times = lines.map(({ timestamp }) => timestamp)
      expect(times).toEqual(times.toSorted().reverse())
      expect(lines.filter(({ server_name }) => server_name === 'web-1')).toHaveLength(4)
      expect(lines.find(({ message }) => message === 'payment accepted')).toMatchObject({
        attributes: { 'cart.size': 3, total: 12.5 },
        trace: traceId,
        project: 'web',
      })
    })

    test.each([0, 1, pageLines - 1, pageLines, pageLines + 1, 2 * pageLines, 2 * pageLines + 1])(
      'of %i lines has all of them in order',
      async count => {
        const host = `export-${count}`
        const rows = Array.from({ length: count }, (_, index) =>
          line(20 + index / 1_000, `${index}`, { server_name: host }),
        )
        if (count > 0) await write(rows)
        const read = await readAll(filterOf(`host:${host}`))
        expect(bodies(read)).toEqual(rows.map(({ body }) => body))
        expect(read.end).toEqual({ hasMore: false })
      },
    )

    test('splits lines of one time between pages without a gap or a double', async () => {
      const many = 2 * pageLines + 1
      const rows = Array.from({ length: many }, (_, index) => line(21, `${index}`, { server_name: 'export-equal' }))
      await write(rows)
      const read = await readAll(filterOf('host:export-equal'))
      expect(read.lines).toHaveLength(many)
      expect(new Set(bodies(read)).size).toBe(many)
    })

    test('keeps the order of the SDK within a microsecond', async () => {
      const rows = Array.from({ length: 25 }, (_, index) =>
        line(21, `${index}`, { server_name: 'export-sequence', sequence: 25 - index }),
      )
      await write(rows)
      const read = await readAll(filterOf('host:export-sequence'), { limits: { pageLines: 10 } })
      expect(bodies(read)).toEqual(rows.map(({ body }) => body))
    })

    test('is not changed by newer lines that arrive while it is read', async () => {
      const rows = Array.from({ length: 35 }, (_, index) =>
        line(22 + index, `${index}`, { server_name: 'export-busy' }),
      )
      await write(rows)
      const read = await readAll(filterOf('host:export-busy'), {
        limits: { pageLines: 10 },
        onPage: page => write([line(21, `newer ${page}`, { server_name: 'export-busy' })]),
      })
      expect(bodies(read)).toEqual(rows.map(({ body }) => body))
    })

    test.each([
      `trace:${traceId}`,
      `replay:${replayId}`,
      'has:trace',
      'has:replay',
      'has:user',
      'span:00000000000000ab',
      'side:edge',
      'project:web',
      'payment',
      'level:>=warn',
      '!plan:gold',
      'total:>10',
    ])('finds with `%s` what the list finds', async text => {
      const listed: string[] = []
      for (let filter: LogFilter | null = filterOf(text); filter !== null; ) {
        const { lines, next } = await listLogs(viewer, filter, { limit: 1_000 })
        listed.push(...lines.map(({ body }) => body))
        filter = next && filterOf(text, { after: next, to: next.to })
      }
      expect(listed.length).toBeGreaterThan(0)
      const read = await readAll(filterOf(text), { limits: { pageLines: 500 } })
      expect(bodies(read).toSorted()).toEqual(listed.toSorted())
    })

    test('ends at its limit and says whether there are more', async () => {
      const rows = Array.from({ length: 31 }, (_, index) =>
        line(22 + index / 100, `${index}`, { server_name: 'export-limit' }),
      )
      await write(rows)
      for (const [lines, hasMore] of [
        [30, true],
        [31, false],
        [32, false],
      ] as const) {
        const read = await readAll(filterOf('host:export-limit'), { limits: { pageLines: 10, lines } })
        expect([lines, read.lines.length, read.end]).toEqual([lines, Math.min(lines, 31), { hasMore }])
      }
    })

    test('of large lines has smaller pages', async () => {
      const rows = Array.from({ length: 41 }, (_, index) =>
        line(22 + index / 2, `${index} ${'x'.repeat(16_000)}`, { server_name: 'export-large' }),
      )
      await write(rows)
      const read = await readAll(filterOf('host:export-large'), { limits: { pageBytes: 100_000 } })
      expect(bodies(read)).toEqual(rows.map(({ body }) => body))
      expect(read.pages).toBeGreaterThanOrEqual(6)
      // Each line is larger than such a page.
      expect(bodies(await readAll(filterOf('host:export-large'), { limits: { pageBytes: 1 } }))).toHaveLength(41)
    })
  })
}
