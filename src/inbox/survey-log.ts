import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogPosition, readSlice } from './read-log.ts'
import type { DurableEnd } from './segment-ends.ts'
import { keepBody, listDamaged, spoolFolder } from './segments.ts'

/** The backlog at start. `end` is the end of its last record. */
export type Survey = { records: number; bytes: number; oldestReceivedAt: number | null; end: LogPosition }

const bound = { maxRecords: 10_000, maxBytes: 16 * 1024 * 1024, maxFiles: 64 }

/**
 * Measures the backlog at start, and removes spooled bodies that no record names, unless a damaged record may have named them.
 * Only bodies in `begunBefore` can be orphans: others may still be arriving.
 */
export async function surveyLog(
  folder: string,
  from: LogPosition,
  end: DurableEnd,
  begunBefore: Set<string>,
): Promise<Survey> {
  const survey: Survey = { records: 0, bytes: 0, oldestReceivedAt: null, end: from }
  const named = new Set<string>()
  let isDamaged = (await listDamaged(folder)).some(name => name.endsWith('.seg'))
  for (let at = from; ; ) {
    const slice = await readSlice(folder, at, end, bound)
    if (slice.damaged.length > 0) isDamaged = true
    else if (slice.records.length === 0) break
    for (const { record } of slice.records) {
      survey.oldestReceivedAt ??= record.head.receivedAt
      if (record.head.spool) named.add(record.head.spool.name)
    }
    survey.records += slice.records.length
    survey.bytes += slice.sizeBytes
    at = slice.next
    survey.end = at
  }
  for (const name of begunBefore) {
    if (named.has(name)) continue
    if (isDamaged && !name.endsWith('.part')) await keepBody(folder, name)
    else await rm(join(spoolFolder(folder), name), { force: true })
  }
  return survey
}

export const listSpool = async (folder: string): Promise<Set<string>> =>
  new Set(await readdir(spoolFolder(folder)).catch(() => []))
