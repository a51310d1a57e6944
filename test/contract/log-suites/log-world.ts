/** The lines that the suites of logs search and count; tests that write more use hosts of their own. */
import { expect } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { patternId } from '#domain/logs/line-pattern.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import type { LogFilter } from '#domain/logs/log-condition.ts'
import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { createUuids } from '../../create-ids.ts'
import { makeLog } from '../../make-log.ts'
import { type Acme, openAcme } from '../open-acme.ts'

export const now = Date.now()
const minuteUs = 60_000_000
export const traceId = '0123456789abcdef0123456789abcdef'
export const replayId = 'fedcba9876543210fedcba9876543210'
const nextId = createUuids('logs')
export let acme: Acme
export let viewer: Viewer

export const at = (minutesAgo: number): number => now * 1_000 - minutesAgo * minuteUs
export const line = (minutesAgo: number, body: string, given: Partial<LogRow> = {}): LogRow => {
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

export let rows: LogRow[] = []

/** Some lines of every kind, and the same in a project that the viewer does not see. */
export async function openLogWorld(): Promise<void> {
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
}

let batches = 1_000
/** Writes the lines as a separate batch. */
export async function write(lines: readonly LogRow[]): Promise<void> {
  const batch = { table: 'logs' as const, batchId: `inbox:${++batches}`, mayHaveArrived: false, isSuspect: false }
  expect(await writeBatch(acme.telemetry, { ...batch, rows: [...lines] })).toEqual({ kind: 'done', refused: [] })
}

export const search = (text: string): LogFilter['terms'] => {
  const parsed = parseSearch(text, languageOf(logFields))
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  return parsed.terms
}
export const filterOf = (text: string, given: Partial<LogFilter> = {}): LogFilter => ({
  terms: search(text),
  rangeMs: 3_600_000,
  ...given,
})
export const bodiesOf = async (text: string): Promise<string[]> =>
  (await listLogs(viewer, filterOf(text))).lines.map(({ body }) => body)
