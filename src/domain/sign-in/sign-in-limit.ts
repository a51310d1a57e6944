import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'

const minuteMs = 60_000

/** Failed sign-ins per window (decision 0027). An office may share an address, so an address gets more than an account. */
const rules = {
  /** One account from one address group. */
  pair: { limit: 10, windowMs: 10 * minuteMs },
  /** All accounts from one address group. */
  address: { limit: 50, windowMs: 10 * minuteMs },
  /** One account from all addresses, against distributed guessing. */
  account: { limit: 100, windowMs: 60 * minuteMs },
  /** One account from a browser that has signed in before, so that others can't use up its guesses. */
  device: { limit: 10, windowMs: 10 * minuteMs },
  /** Challenges of passkeys for one address group, because each is stored. */
  challenge: { limit: 100, windowMs: 10 * minuteMs },
  /** Links by mail to one address, which somebody else may ask for. */
  mail: { limit: 5, windowMs: 60 * minuteMs },
  /** Links by mail that one address group asks for. */
  mails: { limit: 20, windowMs: 60 * minuteMs },
} as const

type Rule = keyof typeof rules
/** With `forgives`, a right guess resets the count. */
type Claim = { rule: Rule; key: string; forgives?: boolean }

export type SignInAttempt = {
  /** The email in lowercase. */
  account: string
  /** The result of `addressGroup`. */
  address: string
  /** The id of a browser that has signed in to this account before, else null. */
  device: string | null
}

type Reservation =
  | {
      ok: true
      /** The guess was right: it is not counted, and forgiving claims are reset. */
      succeed(): Promise<void>
      /** The guess could not be checked: it is not counted. */
      refund(): Promise<void>
    }
  | { ok: false; waitMs: number }

/** Counts the attempt before its password is hashed, so that concurrent guesses can't exceed the limit. */
export function reserveGuess(
  context: CommandContext,
  { account, address, device }: SignInAttempt,
): Promise<Reservation> {
  if (device !== null) return reserve(context, [{ rule: 'device', key: `${device} ${account}`, forgives: true }])
  return reserve(context, [
    { rule: 'pair', key: `${address} ${account}`, forgives: true },
    { rule: 'address', key: address },
    { rule: 'account', key: account },
  ])
}

export async function reserveChallenge(context: CommandContext, address: string): Promise<boolean> {
  return (await reserve(context, [{ rule: 'challenge', key: address }])).ok
}

export async function reserveMail(
  context: CommandContext,
  { account, address }: { account: string; address: string },
): Promise<boolean> {
  const reserved = await reserve(context, [
    { rule: 'mail', key: account },
    { rule: 'mails', key: address },
  ])
  return reserved.ok
}

/** Rolled back as a whole when one of the claims is used up, so that a rejected guess is not counted. */
async function reserve(context: CommandContext, claims: readonly Claim[]): Promise<Reservation> {
  const result = await inTransaction<{ ok: true } | { ok: false; waitMs: number }>(context, async inner => {
    await inner.db.deleteFrom('guess').where('until', '<=', inner.now()).execute()
    for (const claim of claims) {
      const waitMs = await count(inner, claim)
      if (waitMs !== null) return { ok: false, waitMs }
    }
    return { ok: true }
  })
  if (!result.ok) return result
  return {
    ok: true,
    refund: () => giveBack(context, claims),
    succeed: async () => {
      for (const claim of claims.filter(({ forgives }) => forgives)) await forget(context, claim)
      await giveBack(
        context,
        claims.filter(({ forgives }) => !forgives),
      )
    },
  }
}

/** Null if the guess is within the limit, else how long to wait. */
async function count({ db, now }: CommandContext, { rule, key }: Claim): Promise<number | null> {
  const { limit, windowMs } = rules[rule]
  const keyHash = hashOf(key)
  const counted = await db
    .insertInto('guess')
    .values({ rule, key_hash: keyHash, count: 1, until: now() + windowMs })
    .onConflict(conflict =>
      conflict
        .columns(['rule', 'key_hash'])
        .doUpdateSet({ count: sql<number>`guess.count + 1` })
        .where('guess.count', '<', limit),
    )
    .returning('count')
    .executeTakeFirst()
  if (counted !== undefined) return null
  const row = await db
    .selectFrom('guess')
    .select('until')
    .where('rule', '=', rule)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
  return Math.max(0, (row?.until ?? 0) - now())
}

async function giveBack({ db }: CommandContext, claims: readonly Claim[]): Promise<void> {
  for (const { rule, key } of claims)
    await db
      .updateTable('guess')
      .set({ count: sql<number>`count - 1` })
      .where('rule', '=', rule)
      .where('key_hash', '=', hashOf(key))
      .where('count', '>', 0)
      .execute()
}

async function forget({ db }: CommandContext, { rule, key }: Claim): Promise<void> {
  await db.deleteFrom('guess').where('rule', '=', rule).where('key_hash', '=', hashOf(key)).execute()
}

/** Of one length, and a password that was typed into the wrong field is not stored. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')
