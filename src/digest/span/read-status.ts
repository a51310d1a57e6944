import { textOf } from '#lib/json-value.ts'
import type { Flat } from '../attributes/flatten.ts'

/** Streamed spans know ok and error; the older, finer word stays where new SDKs put it. */
export function readStatus(status: unknown, { attributes }: Flat): 'ok' | 'error' {
  const text = textOf(status)
  if (text === '' || text === 'ok' || text === 'unset' || text === 'unknown') return 'ok'
  if (text !== 'error') attributes['sentry.status.message'] ??= text
  return 'error'
}
