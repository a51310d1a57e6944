import { addMember } from './add-member.ts'
import type { CommandContext } from './command-context.ts'
import { type InsertUserResult, insertUser } from './insert-user.ts'

/** The hash is absent where the person exists already: their password is theirs and stays. */
export type OwnerInput = { email: string; name?: string | undefined; passwordHash: string | undefined }
export type EnsureOwnerResult = InsertUserResult | { ok: false; code: 'password_missing' }

/** Makes sure that this person exists and belongs to the organisation; a role that was given since is kept. */
export async function ensureOwner(
  inner: CommandContext,
  organizationId: number,
  owner: OwnerInput,
): Promise<EnsureOwnerResult> {
  const user = await ensureUser(inner, owner)
  if (!user.ok) return user
  const member = await addMember(inner, { organizationId, userId: user.userId, role: 'owner' })
  if (!member.ok && member.code !== 'member_exists') throw new Error(`the owner could not be added: ${member.code}`)
  return user
}

async function ensureUser(inner: CommandContext, owner: OwnerInput): Promise<EnsureOwnerResult> {
  const email = owner.email.trim().toLowerCase()
  const present = await inner.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  if (present !== undefined) return { ok: true, userId: present.id }
  if (owner.passwordHash === undefined) return { ok: false, code: 'password_missing' }
  return insertUser(inner, { email, name: owner.name, passwordHash: owner.passwordHash })
}
