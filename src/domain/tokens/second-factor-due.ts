/** How long personal tokens of members without a second factor go on working once it is required: builds must not break overnight. */
const patienceMs = 7 * 86_400_000

type OwnedToken = { ownerId: string | null; twoFactorFrom: number | null; isProtected: unknown }

/** When a token ends unless its owner adds a second factor; null if it does not. SQLite has 0 and 1 for `isProtected`. */
export const secondFactorDue = ({ ownerId, twoFactorFrom, isProtected }: OwnedToken): number | null =>
  ownerId === null || twoFactorFrom === null || isProtected ? null : twoFactorFrom + patienceMs
