/**
 * A seal says which records form batch N. It is written before N is processed, so a repeat after a crash gives the same rows with the
 * same insert tokens. Settings that affect rows are sealed too. A batch whose seal is a torn last line was never processed.
 *
 * Each line also says how far the control database had committed. One that is behind was restored from a backup.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openLineLog, readLines } from './line-log.ts'
import type { LogPosition, PositionedRecord } from './read-log.ts'

/** From `start` in one segment to `end` in the same or a later one. */
export type Seal = {
  batch: number
  segment: number
  start: number
  endSegment: number
  end: number
  /** Hash of the records. Versions before 0026 wrote neither this nor settings. */
  content?: string
  retentionDays?: { errors: number; rest: number }
  /** Records that become dead letters without being processed. The batch id does not depend on them. */
  setAside?: SetAside[]
}
/** `ended_thread`: the thread ended when the record was processed. `too_expensive`: it took too much CPU time. */
export type SetAside = LogPosition & { why: 'ended_thread' | 'too_expensive' }
/** The last batch that the control database has committed, and where it ended. */
export type Committed = { batch: number; segment: number; position: number }
/** The end of a batch according to its plan, which is in the control database before the first row is written. */
export type PlannedEnd = { batch: number; end: LogPosition }

export type Seals = {
  /** The furthest commit that any line or the control database itself knows of. */
  readonly committed: Committed
  readonly damagedLines: number
  /** Seals whose batch is not committed, oldest first. */
  pending(committedBatch: number): Seal[]
  /** Replaces the seal of the same batch and all later ones: only allowed while none of their rows is written. */
  write(seal: Seal, committed: Committed): Promise<void>
  /** Records that everything sealed is committed. */
  settle(committed: Committed): Promise<void>
  close(): Promise<void>
}

type Line = { seal?: Seal; committed?: Committed }

const fileName = 'seals.log'

export async function openSeals(folder: string, cursor: Committed, planned: PlannedEnd[] = []): Promise<Seals> {
  let committed = cursor
  const log = await openLineLog<Line>({
    folder,
    name: fileName,
    format: formatLine,
    parse: parseLine,
    live: lines => {
      const seals = lines.flatMap(({ seal }) => seal ?? []).reduce(replaceFrom, [])
      const pending = after(seals, cursor.batch)
      committed = furthest([
        cursor,
        ...lines.flatMap(line => line.committed ?? []),
        ...impliedBy(pending, cursor, planned),
      ])
      return [{ committed }, ...pending.map(seal => ({ seal }))]
    },
  })
  let live = log.items.flatMap(({ seal }) => seal ?? [])
  const lines = (): Line[] => [{ committed }, ...live.map(seal => ({ seal }))]
  return {
    get committed() {
      return committed
    },
    damagedLines: log.damagedLines,
    pending: batch => after(live, batch),
    write: async (seal, now) => {
      committed = furthest([committed, now])
      live = replaceFrom(after(live, committed.batch), seal)
      await log.write([...lines().slice(0, -1), { seal, committed }])
    },
    settle: async now => {
      committed = furthest([committed, now])
      live = after(live, committed.batch)
      await log.write([...lines().slice(1), { committed }])
    },
    close: log.close,
  }
}

/** Inbox, number, range and content: the number alone is reused when a control database is restored. */
export function batchIdOf(inboxId: string, seal: Seal): string {
  const { batch, segment, start, endSegment, end, content } = seal
  if (content === undefined) return `${inboxId}:${batch}`
  return `${inboxId}:${batch}:${segment}-${start}-${endSegment}-${end}-${content}`
}

/** A hash of the records. Spooled bodies are included by name and size, which are in the heads. */
export function contentOf(records: readonly PositionedRecord[]): string {
  const hash = createHash('sha256')
  for (const { record, at } of records) {
    hash.update(`${at.segment}:${at.position}:${record.body.length}:${JSON.stringify(record.head)}`)
    hash.update(record.body)
  }
  return hash.digest('hex').slice(0, 16)
}

const after = (seals: Seal[], batch: number): Seal[] => seals.filter(seal => seal.batch > batch)
const replaceFrom = (seals: Seal[], seal: Seal): Seal[] => [...seals.filter(one => one.batch < seal.batch), seal]
const furthest = (marks: Committed[]): Committed =>
  marks.reduce((best, mark) => (mark.batch > best.batch ? mark : best), { batch: 0, segment: 0, position: 0 })

/**
 * A line is only dropped when its batch is committed. So if the first pending seal is not the next batch, those before it were
 * committed, unless the control database has a plan for the next one: then its line is damaged.
 */
function impliedBy([first]: Seal[], cursor: Committed, planned: PlannedEnd[]): Committed[] {
  if (first === undefined || first.batch <= cursor.batch + 1) return []
  if (planned.some(({ batch }) => batch === cursor.batch + 1)) return []
  return [{ batch: first.batch - 1, segment: first.segment, position: first.start }]
}

/** Reads the range of batches in the file without opening the log. Returns null if the file has no batches. */
export async function readBatchRange(folder: string): Promise<{ committed: number; last: number } | null> {
  const lines = (await readLines(join(folder, fileName))).texts.flatMap(parseLine)
  if (lines.length === 0) return null
  const committed = Math.max(0, ...lines.map(line => line.committed?.batch ?? 0))
  return { committed, last: Math.max(committed, ...lines.map(line => line.seal?.batch ?? 0)) }
}

/** Whether an earlier run has planned the batch and may have written some of its rows: it must be repeated with the same range. */
export const isPlanned = (seal: Seal, planned: readonly PlannedEnd[]): boolean =>
  planned.some(({ batch, end }) => batch === seal.batch && end.segment === seal.endSegment && end.position === seal.end)

export const endOfSeal = ({ endSegment, end }: Seal): LogPosition => ({ segment: endSegment, position: end })

const formatLine = (line: Line): string => JSON.stringify(line)

function parseLine(text: string): Line[] {
  // Not validated: only lines that Hydrant wrote pass the checksum.
  if (text.startsWith('{')) return [JSON.parse(text) as Line]
  return parseOldSeal(text)
}

/** Batch, segment, start, end, and the segment of the end if it is a later one. */
function parseOldSeal(text: string): Line[] {
  if (!/^\d+ \d+ \d+ \d+( \d+)?$/.test(text)) return []
  const [batch = 0, segment = 0, start = 0, end = 0, endSegment = segment] = text.split(' ').map(Number)
  return [{ seal: { batch, segment, start, endSegment, end } }]
}
