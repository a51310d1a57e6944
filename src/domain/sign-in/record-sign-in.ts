import type { CommandContext } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'

/** How a member signed in: `password`, `totp`, `recovery`, `passkey`, `link`, `proxy`, or the name of an identity provider. */
export type SignInMethod = string

export const recordSignIn = (
  context: CommandContext,
  { userId, method, address }: { userId: string; method: SignInMethod; address: string },
): Promise<void> =>
  writeAudit(
    { ...context, actor: `user:${userId}` },
    { organizationId: null, action: 'user.sign_in', target: `user:${userId}`, detail: { method, address } },
  )

/** One entry when guesses are used up, not one for each: the log of the server has the others. */
export async function recordThrottled(
  context: CommandContext,
  { account, address }: { account: string; address: string },
): Promise<void> {
  const user = await context.db.selectFrom('user').select('id').where('email', '=', account).executeTakeFirst()
  if (user === undefined) return
  const target = `user:${user.id}`
  const since = context.now() - throttledEveryMs
  const present = await context.db
    .selectFrom('audit')
    .select('id')
    .where('target', '=', target)
    .where('action', '=', 'user.sign_in_throttled')
    .where('at', '>', since)
    .limit(1)
    .executeTakeFirst()
  if (present !== undefined) return
  await writeAudit(context, { organizationId: null, action: 'user.sign_in_throttled', target, detail: { address } })
}

const throttledEveryMs = 10 * 60_000
