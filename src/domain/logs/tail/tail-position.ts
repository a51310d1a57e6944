/**
 * Up to which batch of each inbox a reader has seen the lines. Batches are numbered in the order of their commits, and the lines of one
 * arrive together or not at all, so this is where a stream that was cut continues: nothing is left out or shown twice.
 */

import { unscopedStores } from '#domain/access/unscoped-stores.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Control } from '#store/control/control.ts'

export type TailPosition = ReadonlyMap<string, number>

/** `<ms>~<inbox>.<batch>~<inbox>.<batch>`. The time tells where in the table to look. */
export const formatPosition = (position: TailPosition, at: number): string =>
  [at, ...[...position].map(([inboxId, batch]) => `${inboxId}.${batch}`)].join('~')

const maxChars = 10_000

/** Null for anything that `formatPosition` would not write. */
export function readPosition(text: string): { position: TailPosition; at: number } | null {
  if (text.length > maxChars || !/^\d{1,15}(?:~[\w-]{1,64}\.\d{1,15})*$/.test(text)) return null
  const [at = '', ...parts] = text.split('~')
  const pairs = parts.map((part): [string, number] => {
    const dot = part.lastIndexOf('.')
    return [part.slice(0, dot), Number(part.slice(dot + 1))]
  })
  return { position: new Map(pairs), at: Number(at) }
}

/** The last committed batch of each inbox. The same for all viewers: it says nothing of what the batches hold. */
export async function readCommitted({ db }: Pick<Control, 'db'>): Promise<Map<string, number>> {
  const rows = await db.selectFrom('inbox_cursor').select(['inbox_id', 'batch']).limit(1_000).execute()
  return new Map(rows.map(row => [row.inbox_id, row.batch]))
}

/** Where a stream begins that continues a page: lines of later batches may be missing on it. */
export const readTailStart = async (viewer: Viewer): Promise<string> =>
  formatPosition(await readCommitted(unscopedStores(viewer).control), viewer.now)
