import type { Control } from '#store/control/control.ts'

/** Where a person goes who asks for no page in particular: the organisation they joined first. */
export async function findHome({ db }: Control, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .select('organization.slug')
    .where('member.user_id', '=', userId)
    .orderBy('member.created_at')
    .orderBy('organization.id')
    .limit(1)
    .executeTakeFirst()
  return row?.slug ?? null
}
