/** The tables of better-auth, which keep its column types. */
export type AuthSchema = {
  user: {
    id: string
    name: string
    email: string
    emailVerified: unknown
    image: string | null
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
  verification: {
    id: string
    identifier: string
    value: string
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
  }
}
