import { type SelectQueryBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import { jsonObjectOf } from '#lib/json-value.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type AuditFilter = {
  /** Words of the actor, the target, the action or the address. */
  text: string
  /** The noun of an action, `member`, or empty for all. */
  subject: string
  from: number
  /** For the next page: only entries with lower ids. */
  before?: number | undefined
}
export const auditPerPage = 100

const columns = [
  ...(['id', 'at', 'actor', 'actor_label', 'action', 'target', 'target_label', 'address', 'agent'] as const),
  ...(['detail', 'before', 'after', 'position', 'salt', 'digest', 'hash'] as const),
] as const

/** The entries of the organization, newest first, and whether there are more. */
export async function listAudit(viewer: Viewer, { text, subject, from, before }: AuditFilter) {
  let query = viewer.control.audit().select(columns).where('at', '>=', from)
  if (before !== undefined) query = query.where('id', '<', before)
  if (subject !== '') query = query.where(like('action', `${subject}.`, 'start'))
  for (const word of text.split(/\s+/).filter(Boolean).slice(0, maxWords))
    query = query.where(eb => eb.or(searched.map(column => like(column, word, 'anywhere'))))
  const rows = await query
    .orderBy('id', 'desc')
    .limit(auditPerPage + 1)
    .execute()
  return { entries: rows.slice(0, auditPerPage).map(readEntry), hasMore: rows.length > auditPerPage }
}

const maxWords = 8
const searched = ['actor', 'actor_label', 'action', 'target', 'target_label', 'address', 'detail', 'after'] as const

/** Ignoring case. The explicit escape makes SQLite and PostgreSQL agree. */
function like(column: (typeof searched)[number], word: string, where: 'start' | 'anywhere') {
  const escaped = word.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
  return sql<boolean>`lower(${sql.ref(column)}) like ${where === 'start' ? `${escaped}%` : `%${escaped}%`} escape '\\'`
}

type Row = {
  [Column in Exclude<(typeof columns)[number], 'id' | 'at' | 'position'>]: string
} & { id: number; at: number; position: number | null }

const readEntry = (row: Row) => ({
  id: row.id,
  at: row.at,
  actor: row.actor,
  action: row.action,
  target: row.target,
  actorLabel: row.actor_label,
  targetLabel: row.target_label,
  address: row.address,
  agent: row.agent,
  detail: jsonObjectOf(row.detail),
  before: jsonObjectOf(row.before),
  after: jsonObjectOf(row.after),
  isErased: row.position !== null && row.salt === '',
})
export type AuditEntry = ReturnType<typeof readEntry>

/** The nouns of the actions that the organization has, for the filter. */
export async function listAuditSubjects(viewer: Viewer): Promise<string[]> {
  const rows = await viewer.control.audit().select('action').distinct().orderBy('action').limit(500).execute()
  return [...new Set(rows.map(({ action }) => action.split('.')[0] ?? ''))]
}

/** All entries, oldest first, as they are stored: with them, the chain can be verified elsewhere. */
export const readAuditLog = (viewer: Viewer) => readInOrder(() => viewer.control.audit())

export const auditPageRows = 1_000

/** Ids follow positions, because an entry is inserted under the lock on its chain. */
export async function* readInOrder(select: () => SelectQueryBuilder<ControlSchema, 'audit', object>) {
  for (let last = 0; ; ) {
    const rows = await select()
      .select([...columns, 'organization_id'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(auditPageRows)
      .execute()
    yield* rows
    last = rows.at(-1)?.id ?? last
    if (rows.length < auditPageRows) return
  }
}
