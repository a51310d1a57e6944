/** Requests to delete all data of one user, and the receipts of what was deleted. `jobs/erase-users` does it. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { createTextHash } from '#scrubbing/rules/hash-text.ts'

export const identifierKinds = ['id', 'email', 'username', 'ip'] as const
export type IdentifierKind = (typeof identifierKinds)[number]
/** How a user is known: what has any of these is theirs. */
export type UserIdentifiers = Partial<Record<IdentifierKind, string>>

/** Longer values are cut when they are stored, so they would match nothing. */
const maxChars = 1_024

export type ErasureCounts = Record<string, number>

const counts = z.record(z.string(), z.number())
const progressSchema = z.object({
  deleted: counts,
  /** What a step was about to delete, by step: after a kill it is repeated, and its rows may be gone already. */
  pending: z.record(z.string(), z.object({ first: z.string(), counts })),
  /** Nodes that were down for so long that the second pass did not wait for them. */
  missedNodes: z.number().default(0),
})
export type ErasureProgress = z.output<typeof progressSchema>

export const readProgress = (text: string): ErasureProgress => progressSchema.parse(JSON.parse(text))

const identifierSchema = z.object({
  id: z.string().optional(),
  email: z.string().optional(),
  username: z.string().optional(),
  ip: z.string().optional(),
})

export const readIdentifiers = (text: string): UserIdentifiers =>
  identifierSchema.parse(JSON.parse(text)) as UserIdentifiers

/** Trimmed and without empty ones; null if nothing is left or one is too long. */
export function cleanIdentifiers(given: UserIdentifiers): UserIdentifiers | null {
  const clean: UserIdentifiers = {}
  for (const kind of identifierKinds) {
    const value = given[kind]?.trim() ?? ''
    if (value.length > maxChars || value.includes('\0')) return null
    if (value !== '') clean[kind] = value
  }
  return Object.keys(clean).length === 0 ? null : clean
}

type RequestResult = { ok: true; id: string } | { ok: false; code: 'user_missing' }

export function requestErasure(
  context: CommandContext,
  { organizationId, user }: { organizationId: number; user: UserIdentifiers },
): Promise<RequestResult> {
  return inTransaction<RequestResult>(context, async inner => {
    const identifiers = cleanIdentifiers(user)
    if (identifiers === null) return { ok: false, code: 'user_missing' }
    const id = randomUUID()
    await inner.db
      .insertInto('user_erasure')
      .values({
        id,
        organization_id: organizationId,
        identifiers: JSON.stringify(identifiers),
        state: 'queued',
        progress: JSON.stringify({ deleted: {}, pending: {}, missedNodes: 0 } satisfies ErasureProgress),
        requested_at: inner.now(),
        requested_by: inner.actor,
        covers_until: null,
        finished_at: null,
        last_error: '',
      })
      .execute()
    // The audit log outlives the user's data, so it must not name the user.
    const detail = { by: Object.keys(identifiers).join(', ') }
    await writeAudit(inner, { organizationId, action: 'user_data.delete', target: `user_erasure:${id}`, detail })
    return { ok: true, id }
  })
}

/** What is kept of the identifiers: whoever knows a value and the key can check that a receipt is about it, nobody can read it. */
export function hideIdentifiers(user: UserIdentifiers, key: string, organizationId: number): string {
  const hash = createTextHash(key, organizationId)
  return JSON.stringify(
    Object.fromEntries(
      identifierKinds.flatMap(kind => (user[kind] === undefined ? [] : [[kind, hash(`${kind}:${user[kind]}`)]])),
    ),
  )
}

export type Receipt = {
  id: string
  state: 'queued' | 'running' | 'done'
  /** Values until it is done, then their keyed hashes. */
  user: UserIdentifiers
  requestedAt: number
  requestedBy: string
  coversUntil: number | null
  finishedAt: number | null
  deleted: ErasureCounts
  lastError: string
  /** What a deletion cannot do, in sentences. */
  limits: readonly string[]
}

/** Part of every receipt, so that nobody believes more than was done. */
export const erasureLimits: readonly string[] = [
  'Only data that names the user in a user field is found. Free text, such as a message or a URL, is not searched.',
  'Counts of affected users are estimates from sketches, from which nobody can be taken out. They expire with their issue.',
  'Sums of routes and of dropped data name no user and stay.',
  'Payloads that could not be processed (dead letters) are not searched. They expire with the retention of errors.',
  'Space that a database has freed keeps its bytes until it is used again.',
]

/** `digest/digested-files.ts` overwrites them. */
const describeInbox = (coversUntil: number): string =>
  `The inbox of each node overwrites data that was received before ${new Date(coversUntil).toISOString()} at most 15 minutes after this deletion ended; a node that is stopped does it when it starts again.`

const describeMissed = (nodes: number): string =>
  `${nodes === 1 ? 'A node was' : `${nodes} nodes were`} down for more than a day. What it had received and not stored is not covered: ask again when it is back.`

const receiptColumns = [
  'id',
  'state',
  'identifiers',
  'progress',
  'requested_at',
  'requested_by',
  'covers_until',
  'finished_at',
  'last_error',
] as const

const maxReceipts = 100

/** Newest first. */
export async function listErasures(viewer: Viewer): Promise<Receipt[]> {
  const rows = await viewer.control
    .userErasures()
    .select(receiptColumns)
    .orderBy('requested_at', 'desc')
    .limit(maxReceipts)
    .execute()
  return rows.map(receiptOf)
}

export async function findErasure(viewer: Viewer, id: string): Promise<Receipt | null> {
  const row = await viewer.control.userErasures().select(receiptColumns).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : receiptOf(row)
}

type Row = {
  id: string
  state: Receipt['state']
  identifiers: string
  progress: string
  requested_at: number
  requested_by: string
  covers_until: number | null
  finished_at: number | null
  last_error: string
}

export function receiptOf(row: Row): Receipt {
  const { deleted, missedNodes } = readProgress(row.progress)
  return {
    id: row.id,
    state: row.state,
    user: readIdentifiers(row.identifiers),
    requestedAt: row.requested_at,
    requestedBy: row.requested_by,
    coversUntil: row.covers_until,
    finishedAt: row.finished_at,
    deleted,
    lastError: row.last_error,
    limits: [
      ...erasureLimits,
      ...(row.covers_until === null ? [] : [describeInbox(row.covers_until)]),
      ...(missedNodes === 0 ? [] : [describeMissed(missedNodes)]),
    ],
  }
}
