/** At start: how much waits in the log, since when, and which spool files it names. Files that nothing names are removed,
 * unless a record that cannot be read may have named them. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogPosition, readSlice } from './read-log.ts'
import type { DurableEnd } from './segment-ends.ts'
import { keepBody, listDamaged, spoolFolder } from './segments.ts'

/** `end` is where the last record that waits ends: a file of a new process begins behind it. */
export type Survey = { records: number; bytes: number; oldestReceivedAt: number | null; end: LogPosition }

const bound = { maxRecords: 10_000, maxBytes: 16 * 1024 * 1024, maxFiles: 64 }

/** `begunBefore` protects the bodies that arrive while we look: only files older than this process are orphans. */
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
