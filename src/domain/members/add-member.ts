import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { findRole } from '#domain/access/lock-members.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { isMember } from '#domain/sign-in/end-membership.ts'
import { hashPassword } from '#domain/sign-in/password-hash.ts'
import {
  findLengthFault,
  findPasswordFault,
  type PasswordFault,
  type PasswordOwner,
} from '#domain/sign-in/password-rules.ts'
import { countCredentials, lockUser } from '#domain/sign-in/revoke-credentials.ts'
import { storeHash } from '#domain/sign-in/set-password.ts'
import { verifyAddress } from '#domain/sign-in/verify-address.ts'
import type { MemberRole } from '#store/control/schema.ts'

type NewMember = { organizationId: number; userId: string; role: MemberRole }
type AddMemberResult = { ok: true } | { ok: false; code: 'member_exists' | 'organization_not_found' | 'user_not_found' }

export function addMember(context: CommandContext, given: NewMember): Promise<AddMemberResult> {
  return inTransaction<AddMemberResult>(context, async inner => {
    const { organizationId, userId, role } = given
    const missing = await findMissing(inner, given)
    if (missing !== null) return { ok: false, code: missing }
    const row = await inner.db
      .insertInto('member')
      .values({ organization_id: organizationId, user_id: userId, role, created_at: inner.now() })
      .onConflict(conflict => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'member_exists' }
    await writeAudit(inner, { organizationId, action: 'member.add', target: `user:${userId}`, detail: { role } })
    return { ok: true }
  })
}

async function findMissing({ db }: CommandContext, { organizationId, userId }: NewMember) {
  const organization = await db
    .selectFrom('organization')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (organization === undefined) return 'organization_not_found'
  const user = await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()
  return user === undefined ? 'user_not_found' : null
}

type NewMemberUser = {
  email: string
  name?: string | undefined
  /** Used unless the account keeps its own: see `claimUser`. */
  password: string
  role: MemberRole
  /** Optional while there is only one organization. */
  organizationSlug?: string | undefined
}
type Refused<Result> = Extract<Result, { ok: false }>
type AddUserResult =
  | { ok: true; userId: string; state: ClaimedUser; organizationSlug: string }
  | Refused<InsertUserResult>
  | Refused<AddMemberResult>
  | { ok: false; code: PasswordFault | 'organization_unclear' }

/** Adds a member to an organization and creates the user if necessary. */
export async function addUserAsMember(context: CommandContext, given: NewMemberUser): Promise<AddUserResult> {
  const hashed = await hashNewPassword(given.password, { isOperator: true })
  if (!hashed.ok) return hashed
  return inTransaction<AddUserResult>(context, async inner => {
    const { email, name, role } = given
    const organizations = await findOrganizations(inner, given.organizationSlug)
    const [organization] = organizations
    if (organization === undefined) return { ok: false, code: 'organization_not_found' }
    if (organizations.length > 1) return { ok: false, code: 'organization_unclear' }
    const user = await claimUser(inner, { email, name, passwordHash: hashed.hash, isEmailVerified: true })
    if (!user.ok) return user
    const { userId, state } = user
    const member = await addMember(inner, { organizationId: organization.id, userId, role })
    if (!member.ok) return member
    return { ok: true, userId, state, organizationSlug: organization.slug }
  })
}

function findOrganizations({ db }: CommandContext, slug: string | undefined) {
  const two = db.selectFrom('organization').select(['id', 'slug']).orderBy('id').limit(2)
  return slug === undefined ? two.execute() : two.where('slug', '=', slug).execute()
}

export type NewUser = { email: string; name?: string | undefined; password: string }
export type CreateUserResult = InsertUserResult | { ok: false; code: PasswordFault }

export async function createUser(context: CommandContext, { password, ...user }: NewUser): Promise<CreateUserResult> {
  const hashed = await hashNewPassword(password, user)
  if (!hashed.ok) return hashed
  return inTransaction<CreateUserResult>(context, inner => insertUser(inner, { ...user, passwordHash: hashed.hash }))
}

type HashedUser = {
  email: string
  name?: string | undefined
  passwordHash: string
  /** True for an address that whoever runs this server has typed, or whose mail the person reads. */
  isEmailVerified?: boolean
}
type InsertUserResult = { ok: true; userId: string } | { ok: false; code: 'email_invalid' | 'email_taken' }

/** Roughly: mail servers decide what exists. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254

/** Writes the two rows that better-auth writes at sign-up. Runs in the caller's transaction. */
export async function insertUser(inner: CommandContext, given: HashedUser): Promise<InsertUserResult> {
  const email = given.email.trim().toLowerCase()
  if (!isEmail(email)) return { ok: false, code: 'email_invalid' }
  const userId = randomBytes(16).toString('hex')
  const times = authTimes(inner.now())
  const row = await inner.db
    .insertInto('user')
    .values({
      id: userId,
      name: given.name?.trim() || email.replace(/@.*/, ''),
      email,
      // 0 or 1 on SQLite and a boolean on PostgreSQL, which are the types better-auth reads.
      emailVerified: given.isEmailVerified ? sql`true` : sql`false`,
      image: null,
      ...times,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) return { ok: false, code: 'email_taken' }
  await inner.db
    .insertInto('account')
    .values({
      id: randomBytes(16).toString('hex'),
      accountId: userId,
      providerId: 'credential',
      userId,
      password: given.passwordHash,
      ...times,
    })
    .execute()
  await writeAudit(inner, { organizationId: null, action: 'user.create', target: `user:${userId}` })
  return { ok: true, userId }
}

/** ISO text: better-auth stores it on SQLite, and PostgreSQL reads it as a timestamp. */
function authTimes(now: number) {
  const at = new Date(now).toISOString()
  return { createdAt: at, updatedAt: at }
}

/** Without a hash if the user exists already and keeps their password. */
type OwnerInput = { email: string; name?: string | undefined; passwordHash: string | undefined }
export type EnsureOwnerResult = InsertUserResult | { ok: false; code: 'password_missing' }

/** Makes sure that the user exists and is a member of the organization. An existing member keeps their role. */
export async function ensureOwner(
  inner: CommandContext,
  organizationId: number,
  owner: OwnerInput,
): Promise<EnsureOwnerResult> {
  const user = await ensureUser(inner, organizationId, owner)
  if (!user.ok) return user
  const member = await addMember(inner, { organizationId, userId: user.userId, role: 'owner' })
  if (!member.ok && member.code !== 'member_exists') throw new Error(`Couldn't add the owner: ${member.code}`)
  return user
}

async function ensureUser(
  inner: CommandContext,
  organizationId: number,
  owner: OwnerInput,
): Promise<EnsureOwnerResult> {
  const present = await findAccount(inner, owner.email)
  const isIn = present !== undefined && (await findRole(inner, organizationId, present.id)) !== null
  const isTheirs = present !== undefined && Boolean(present.emailVerified) && (await isInUse(inner, present.id))
  if (isIn || isTheirs) return { ok: true, userId: present.id }
  if (owner.passwordHash === undefined) return { ok: false, code: 'password_missing' }
  const { email, name, passwordHash } = owner
  return claimUser(inner, { email, name, passwordHash, isEmailVerified: true })
}

/**
 * `present`: the account is in use and keeps its password. `reopened`: the account had no way to sign in anymore. `taken_over`: an
 * invitation created the account and its address was never verified, so its old credentials have ended and the given password counts.
 */
export type ClaimedUser = 'new' | 'present' | 'reopened' | 'taken_over'
type ClaimResult = { ok: true; userId: string; state: ClaimedUser } | Refused<InsertUserResult>

/** An account for an address: a new one, or the one that is there. Runs in the caller's transaction. */
export async function claimUser(inner: CommandContext, given: HashedUser, by = 'terminal'): Promise<ClaimResult> {
  const present = await findAccount(inner, given.email)
  if (present === undefined) {
    const made = await insertUser(inner, given)
    return made.ok ? { ...made, state: 'new' } : made
  }
  const { id: userId } = present
  if (given.isEmailVerified && !present.emailVerified && (await isInUse(inner, userId))) {
    await verifyAddress({ ...inner, actor: by === 'terminal' ? inner.actor : `user:${userId}` }, { userId, by })
    await giveAgain(inner, userId, given)
    return { ok: true, userId, state: 'taken_over' }
  }
  if (await isInUse(inner, userId)) return { ok: true, userId, state: 'present' }
  await giveAgain(inner, userId, given)
  await writeAudit(inner, { organizationId: null, action: 'user.reopen', target: `user:${userId}` })
  return { ok: true, userId, state: 'reopened' }
}

/** A reopened account has to verify its address again. */
async function giveAgain(inner: CommandContext, userId: string, given: HashedUser): Promise<void> {
  const name = given.name?.trim()
  await inner.db
    .updateTable('user')
    .set({ emailVerified: given.isEmailVerified ? sql`true` : sql`false`, ...(name ? { name } : {}) })
    .where('id', '=', userId)
    .execute()
  await storeHash(inner, userId, given.passwordHash)
}

const findAccount = ({ db }: CommandContext, email: string) =>
  db
    .selectFrom('user')
    .select(['id', 'emailVerified'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()

/** Whether the account has a way to sign in or belongs to an organization. Locks the account, so the answer can't change. */
async function isInUse(inner: CommandContext, userId: string): Promise<boolean> {
  await lockUser(inner, userId)
  const { passwords, providers, passkeys } = await countCredentials(inner, 'address_verified', { userId })
  return Boolean(passwords || providers || passkeys) || (await isMember(inner, userId))
}

type PasswordHash = { ok: true; hash: string } | { ok: false; code: PasswordFault }

/** Pages refuse passwords that others would guess; the operator's terminal only refuses wrong lengths, so that scripts keep working. */
type PasswordChooser = PasswordOwner & { isOperator?: boolean }

/** Slow on purpose, so call it before a transaction, never inside one. */
export async function hashNewPassword(password: string, chooser: PasswordChooser = {}): Promise<PasswordHash> {
  const code = chooser.isOperator ? findLengthFault(password) : findPasswordFault(password, chooser)
  return code === null ? { ok: true, hash: await hashPassword(password) } : { ok: false, code }
}
