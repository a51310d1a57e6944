import type { MemberRole } from '#store/control/schema.ts'
import type { CommandContext } from './command-context.ts'

/** Makes changes of an organization's members run one after the other: a no-op update locks on SQLite and PostgreSQL alike. */
export async function lockMembers({ db }: CommandContext, organizationId: number): Promise<void> {
  await db
    .updateTable('organization')
    .set(eb => ({ slug: eb.ref('slug') }))
    .where('id', '=', organizationId)
    .execute()
}

/** Call it after `lockMembers`: then it stays true until the transaction ends. */
export async function findRole(
  { db }: Pick<CommandContext, 'db'>,
  organizationId: number,
  userId: string,
): Promise<MemberRole | null> {
  const row = await db
    .selectFrom('member')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}

/** The actor's role now, not when the page was opened. Whoever has the terminal may do everything. */
export async function findActorRole(inner: CommandContext, organizationId: number): Promise<MemberRole | null> {
  const userId = /^user:(.+)$/s.exec(inner.actor)?.[1]
  return userId === undefined ? 'owner' : findRole(inner, organizationId, userId)
}

/** Call it after `lockMembers`. */
export async function isLastOwner({ db }: CommandContext, organizationId: number): Promise<boolean> {
  const owners = await db
    .selectFrom('member')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .limit(2)
    .execute()
  return owners.length < 2
}
