/** One log line and those around it. */
import { describe, expect, test } from 'vitest'
import { createViewer } from '#domain/access/viewer.ts'
import { findLog, listContext, listTraceLines } from '#domain/logs/find-log.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import { shownChars } from '#domain/logs/log-line.ts'
import { listedLine, tailBatch } from '#domain/logs/tail/tail-line.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { acme, at, filterOf, line, now, rows, traceId, viewer, write } from './log-world.ts'

export function oneLineSuite(): void {
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

    const sizes = [0, 1, 999, 1_000, 1_001, 1_999, 2_001, 10_000, 16_384, 100_000, 1_000_000]
    test.each([
      ['one byte', 'x'],
      ['two bytes', 'ü'],
      ['three bytes', '語'],
      ['four bytes and two code units', '🜁'],
    ])('of any length opens whole, of characters of %s', async (_, character) => {
      const lines = sizes.map((size, index) =>
        line(index + 30, character.repeat(size), { server_name: `long-${character}`, sequence: index }),
      )
      await write(lines)
      const { lines: listed } = await listLogs(viewer, filterOf(`host:long-${character}`))
      expect(listed.map(({ chars }) => chars)).toEqual(sizes)
      expect(listed.map(({ body }) => [...body].length)).toEqual(sizes.map(size => Math.min(size, shownChars)))
      for (const [index, row] of lines.entries()) {
        const found = await findLog(viewer, address(row))
        expect(found?.body === row.body, `${sizes[index]} characters`).toBe(true)
        const context = await listContext(
          viewer,
          {
            ...address(row),
            projectId: row.project_id,
            sequence: row.sequence,
            serverName: row.server_name,
            traceId: '',
          },
          'host',
          50,
        )
        expect(context.before.length + context.after.length).toBeGreaterThan(0)
      }
    })

    test('on its way to a live list is cut and counted as the stored one', async () => {
      for (const character of ['x', '語', '🜁'])
        for (const size of [0, 1_000, 1_001, 2_001, 10_000]) {
          const row = line(60, character.repeat(size), { server_name: 'tailed' })
          const [tailed] = tailBatch({ inboxId: 'inbox', batch: 1, receivedAt: now }, [row]).lines
          const listed = tailed && listedLine(tailed, [])
          expect([...(listed?.body ?? '')].length).toBe(Math.min(size, shownChars))
          expect((listed?.chars ?? 0) > shownChars).toBe(size > shownChars)
        }
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
}
