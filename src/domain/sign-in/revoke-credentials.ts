import { type RawBuilder, sql } from 'kysely'
import type { CommandContext } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { trustPrefix } from './trusted-browsers.ts'

/** Whose credentials end, and which of them stay. */
type Scope = {
  userId: string
  /** The session that stays; null for none. */
  keepSession?: string | null
  /** The identity provider that has just vouched for the person. */
  keepProvider?: string | null
  /** Only what belongs to this organization. */
  organizationId?: number
}

/** Which rows are credentials of a person, and how they end. */
type Kind = { table: string; of: (scope: Scope) => RawBuilder<unknown>; end: 'delete' | 'revoke' }

const inOrganization = ({ organizationId }: Scope) =>
  organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`

const kinds = {
  sessions: {
    table: 'session',
    of: ({ userId, keepSession }) => sql`"userId" = ${userId} and id <> ${keepSession ?? ''}`,
    end: 'delete',
  },
  /** Sessions that had no second factor. */
  weakSessions: {
    table: 'session',
    of: ({ userId, keepSession }) =>
      sql`"userId" = ${userId} and id <> ${keepSession ?? ''} and coalesce("secondFactor", false) = false`,
    end: 'delete',
  },
  passwords: {
    table: 'account',
    of: ({ userId }) => sql`"userId" = ${userId} and "providerId" = 'credential'`,
    end: 'delete',
  },
  providers: {
    table: 'account',
    of: ({ userId, keepProvider }) =>
      sql`"userId" = ${userId} and "providerId" not in ('credential', ${keepProvider ?? ''})`,
    end: 'delete',
  },
  apps: { table: 'twoFactor', of: ({ userId }) => sql`"userId" = ${userId}`, end: 'delete' },
  passkeys: { table: 'passkey', of: ({ userId }) => sql`user_id = ${userId}`, end: 'delete' },
  trustedBrowsers: {
    table: 'verification',
    of: ({ userId }) => sql`value = ${userId} and identifier like ${`${trustPrefix}%`}`,
    end: 'delete',
  },
  /** Sign-ins that wait for the code of the app. */
  halfSignIns: {
    table: 'verification',
    of: ({ userId }) => sql`value = ${userId} and identifier not like ${`${trustPrefix}%`}`,
    end: 'delete',
  },
  /** Links that sign in, and challenges of passkeys. */
  links: { table: 'one_time_token', of: ({ userId }) => sql`user_id = ${userId}`, end: 'delete' },
  /** Personal tokens. Those of an organization belong to it. */
  tokens: {
    table: 'auth_token',
    of: scope => sql`user_id = ${scope.userId} and revoked_at is null and ${inOrganization(scope)}`,
    end: 'revoke',
  },
  /** Open invitations that this person has made. */
  invitations: {
    table: 'invitation',
    of: scope =>
      sql`invited_by = ${scope.userId} and accepted_at is null and revoked_at is null and ${inOrganization(scope)}`,
    end: 'revoke',
  },
} as const satisfies Record<string, Kind>

export type Credential = keyof typeof kinds
export type Ended = Partial<Record<Credential, number>>

const waysIn = ['sessions', 'passwords', 'apps', 'passkeys', 'trustedBrowsers', 'halfSignIns', 'links'] as const
const ofOrganizations = ['tokens', 'invitations'] as const

type Rule = { ends: readonly Credential[]; action: string | null }

/**
 * For each reason, the credentials that it ends and its entry in the audit log. No other code decides this. If a stranger made an account
 * for an address, they lose all access to it once the owner of the address proves that it is theirs.
 */
const rules = {
  address_verified: { ends: [...waysIn, 'providers', ...ofOrganizations], action: 'user.address_verified' },
  two_factor_reset: { ends: [...waysIn, ...ofOrganizations], action: 'user.two_factor_reset' },
  /** Removed from one of several organizations, or left it. Its own entry is that of the removal. */
  organization_left: { ends: ofOrganizations, action: null },
  last_organization_left: { ends: [...waysIn, ...ofOrganizations], action: 'user.credentials_end' },
  password_change: { ends: ['sessions', 'trustedBrowsers', 'halfSignIns', 'links'], action: 'user.password_change' },
  password_reset: { ends: ['sessions', 'trustedBrowsers', 'halfSignIns', 'links'], action: 'user.password_reset' },
  app_added: { ends: ['weakSessions', 'trustedBrowsers', 'halfSignIns'], action: 'user.two_factor_on' },
  app_removed: { ends: ['trustedBrowsers', 'halfSignIns'], action: 'user.two_factor_off' },
  other_sessions_ended: { ends: ['sessions', 'trustedBrowsers', 'halfSignIns'], action: 'user.session_end' },
} as const satisfies Record<string, Rule>

export type Reason = keyof typeof rules

/** Ends what the reason ends, and gives how many of each kind. Call it in the transaction of the change. */
export async function revokeCredentials(
  inner: CommandContext,
  reason: Reason,
  scope: Scope,
  detail: Record<string, string> = {},
): Promise<Ended> {
  const { ends, action }: Rule = rules[reason]
  const { userId } = scope
  // Lock first. Otherwise a person with an old credential could create a new one in the meantime.
  await lockUser(inner, userId)
  const ended: Ended = {}
  for (const kind of ends) {
    const count = await endAll(inner, kinds[kind], scope)
    if (count > 0) ended[kind] = count
  }
  if (ends.includes('apps'))
    // `false` is 0 on SQLite and a boolean on PostgreSQL, which are the types better-auth reads.
    await inner.db.updateTable('user').set({ twoFactorEnabled: sql`false` }).where('id', '=', userId).execute()
  if (action !== null)
    await writeAudit(inner, { organizationId: null, action, target: `user:${userId}`, detail: { ...detail, ...ended } })
  return ended
}

async function endAll({ db, now }: CommandContext, { table, of, end }: Kind, scope: Scope): Promise<number> {
  const rows = end === 'delete' ? sql`delete from ${sql.table(table)}` : revoking(table, now())
  return (await sql`${rows} where ${of(scope)} returning 1 as ended`.execute(db)).rows.length
}

const revoking = (table: string, at: number) => sql`update ${sql.table(table)} set revoked_at = ${at}`

/** Counts the credentials that a reason would end now. A page shows them before the user confirms. */
export async function countCredentials({ db }: CommandContext, reason: Reason, scope: Scope): Promise<Ended> {
  const counted: Ended = {}
  for (const kind of rules[reason].ends) {
    const { table, of }: Kind = kinds[kind]
    const counting = sql<{
      count: number | string
    }>`select count(*) as count from ${sql.table(table)} where ${of(scope)}`
    const count = Number((await counting.execute(db)).rows[0]?.count ?? 0)
    if (count > 0) counted[kind] = count
  }
  return counted
}

/** Makes changes of one person's credentials run one after the other: a no-op update locks on SQLite and PostgreSQL alike. */
export async function lockUser({ db }: CommandContext, userId: string): Promise<void> {
  await db
    .updateTable('user')
    .set(eb => ({ email: eb.ref('email') }))
    .where('id', '=', userId)
    .execute()
}
