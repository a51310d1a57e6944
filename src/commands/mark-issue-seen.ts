import type { CommandContext } from './command-context.ts'

/** A person has looked at it: lists draw it as seen until something new happens. No audit, because nothing was decided. */
export async function markIssueSeen(
  { db, now }: CommandContext,
  { userId, issueId }: { userId: string; issueId: number },
): Promise<void> {
  const seen_at = now()
  await db
    .insertInto('issue_seen')
    .values({ user_id: userId, issue_id: issueId, seen_at })
    .onConflict(conflict => conflict.columns(['user_id', 'issue_id']).doUpdateSet({ seen_at }))
    .execute()
}
