import type { Generated } from 'kysely'

/** The tables of better-auth, which keep its column types. */
export type AuthSchema = {
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
  verification: {
    id: string
    identifier: string
    value: string
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
  }
}
