import type { Generated } from 'kysely'

/** Accounts, sessions and everything else that is needed to sign in. */
export type AuthSchema = BetterAuthSchema & SignInSchema

/** The tables of better-auth, which keep its column types. */
type BetterAuthSchema = {
  user: {
    id: string
    name: string
    email: string
    emailVerified: unknown
    image: string | null
    /** True while the member has an authenticator app. Null for accounts that are older than the column. */
    twoFactorEnabled: Generated<unknown>
    createdAt: unknown
    updatedAt: unknown
  }
  session: {
    id: string
    userId: string
    token: string
    expiresAt: unknown
    ipAddress: string | null
    userAgent: string | null
    /** How the member signed in. Null for sessions that are older than the column. */
    method: Generated<string | null>
    /** True if the sign-in had a second factor. */
    secondFactor: Generated<unknown>
    /** When the session was last used, in milliseconds, to within some minutes. */
    seenAt: Generated<number | null>
    /** When this session has last shown a second factor of the account: never, in a trusted browser or after single sign-on. */
    factorAt: Generated<number | null>
    createdAt: unknown
    updatedAt: unknown
  }
  account: {
    id: string
    accountId: string
    providerId: string
    userId: string
    password: string | null
    accessToken: string | null
    refreshToken: string | null
    idToken: string | null
    accessTokenExpiresAt: unknown
    refreshTokenExpiresAt: unknown
    scope: string | null
    createdAt: unknown
    updatedAt: unknown
  }
  twoFactor: {
    id: string
    /** Encrypted, as the recovery codes are. */
    secret: string
    backupCodes: string
    userId: string
    verified: unknown
    failedVerificationCount: number | null
    lockedUntil: unknown
  }
  /** Codes of authenticator apps that have been used. */
  spent_code: { user_id: string; code_hash: string; spent_at: number }
  verification: {
    id: string
    identifier: string
    value: string
    /** Of a trusted browser; null for all others, and for browsers that were trusted before the columns. */
    userAgent: Generated<string | null>
    ipAddress: Generated<string | null>
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
  }
}

/** Our own tables of signing in. */
type SignInSchema = {
  /** Links to sign in and challenges of passkeys: used once, kept as a hash (domain/sign-in/one-time-token.ts). */
  one_time_token: {
    token_hash: string
    purpose: string
    user_id: string | null
    created_at: number
    expires_at: number
  }
  /** Guesses of passwords, counted by all nodes together (domain/sign-in/sign-in-limit.ts). */
  guess: { rule: string; key_hash: string; count: number; until: number }
  passkey: {
    id: string
    user_id: string
    name: string
    credential_id: string
    /** Base64url of the COSE key. */
    public_key: string
    counter: number
    /** JSON list. */
    transports: string
    created_at: number
    last_used_at: number | null
  }
}
