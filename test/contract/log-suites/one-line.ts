/** One log line and those around it. */
import { describe, expect, test } from 'vitest'
import { createViewer } from '#domain/access/viewer.ts'
import { findLog, listContext, listTraceLines } from '#domain/logs/find-log.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { acme, at, now, rows, traceId, viewer } from './log-world.ts'

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
