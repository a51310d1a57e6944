import { randomBytes } from 'node:crypto'
import type { CommandContext } from '#domain/access/command-context.ts'
import { digestOf, hashOf } from './audit-hash.ts'

type Values = Record<string, string | number | boolean>
type AuditEntry = {
  organizationId: number | null
  /** Noun and verb: `project.create`. */
  action: string
  /** The changed object: `project:12`. */
  target: string
  /** Its name, if neither `detail` nor the accounts have it. */
  label?: string
  detail?: Values
  /** Only what was changed. */
  before?: Values
  after?: Values
}

/**
 * Call it with the context of an open transaction, so that no change exists without its entry. Entries of an organization form a chain:
 * each hash covers the hash before it, and the lock on the end of the chain makes writers follow each other.
 */
export async function writeAudit(context: CommandContext, entry: AuditEntry): Promise<void> {
  const { db, actor, now, origin } = context
  const personal = {
    actor_label: await findAccountName(context, actor),
    target_label: entry.label ?? nameIn(entry.detail) ?? (await findAccountName(context, entry.target)),
    address: origin?.address ?? '',
    agent: (origin?.agent ?? '').replaceAll('\0', '').toWellFormed().slice(0, maxAgentChars),
    detail: JSON.stringify(entry.detail ?? {}),
    before: entry.before === undefined ? '' : JSON.stringify(entry.before),
    after: entry.after === undefined ? '' : JSON.stringify(entry.after),
  }
  const chain = entry.organizationId ?? 0
  const last = await lockChain(context, chain)
  const salt = randomBytes(16).toString('hex')
  const { organizationId: organization_id, action, target } = entry
  const digest = digestOf(salt, personal)
  const chained = { position: last.position + 1, organization_id, at: now(), actor, action, target, digest }
  const hash = hashOf(last.hash, chained)
  await db
    .insertInto('audit')
    .values({ ...chained, ...personal, salt, hash })
    .execute()
  await db
    .updateTable('audit_chain')
    .set({ position: chained.position, hash })
    .where('organization_id', '=', chain)
    .execute()
}

const maxAgentChars = 300

/** A no-op update locks the row until the transaction ends, on SQLite and PostgreSQL alike. */
async function lockChain({ db }: CommandContext, chain: number): Promise<{ position: number; hash: string }> {
  const lock = () =>
    db
      .updateTable('audit_chain')
      .set(eb => ({ position: eb.ref('position') }))
      .where('organization_id', '=', chain)
      .returning(['position', 'hash'])
      .executeTakeFirst()
  const found = await lock()
  if (found !== undefined) return found
  await db
    .insertInto('audit_chain')
    .values({ organization_id: chain, position: 0, hash: '' })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const made = await lock()
  if (made === undefined) throw new Error('the audit chain has no end')
  return made
}

const nameIn = (detail: Values | undefined): string | undefined => {
  const name = detail?.slug ?? detail?.version ?? detail?.name
  return name === undefined ? undefined : String(name)
}

/** The name of a member or token as it is now; entries keep it when it changes. */
async function findAccountName({ db }: CommandContext, reference: string): Promise<string> {
  const [kind, id = ''] = reference.split(/:(.*)/s)
  if (kind === 'user') {
    const user = await db.selectFrom('user').select(['name', 'email']).where('id', '=', id).executeTakeFirst()
    return user?.name || user?.email || ''
  }
  if (kind !== 'token' && kind !== 'auth_token') return ''
  const token = await db.selectFrom('auth_token').select('name').where('id', '=', Number(id)).executeTakeFirst()
  return token?.name ?? ''
}
