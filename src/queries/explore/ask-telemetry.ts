import { z } from 'zod'
import type { Settings, Telemetry } from '#store/telemetry/telemetry.ts'
import type { Fault } from './field.ts'

/** Anybody with a token may ask anything: no question may hold the engine for longer than a page would wait. */
const bounds: Settings = { max_execution_time: 10, max_rows_to_read: 200_000_000, max_memory_usage: 2_000_000_000 }

/** What the engine says when a bound is reached: too slow, too many rows, too much memory. */
const overBounds = new Set(['158', '159', '160', '241', '307'])

const row = z.record(z.string(), z.unknown())

export async function askTelemetry(
  telemetry: Telemetry,
  question: { query: string; params: Record<string, unknown> },
): Promise<{ ok: true; rows: Record<string, unknown>[] } | Fault> {
  try {
    return { ok: true, rows: await telemetry.query({ ...question, schema: row, settings: bounds }) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!overBounds.has(code)) throw error
    const message = 'The question reads too much for one answer. Ask for a shorter time, fewer fields or one project.'
    return { ok: false, code: 'too_slow', message }
  }
}
