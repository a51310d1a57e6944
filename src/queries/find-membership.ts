import type { Control } from '#store/control/control.ts'

/** The organisation behind a slug, if this person belongs to it. A stranger and a wrong slug get the same null. */
export async function findMembership({ db }: Control, userId: string, organizationSlug: string) {
  const row = await db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .select(['organization.id', 'organization.slug', 'organization.name', 'member.role'])
    .where('member.user_id', '=', userId)
    .where('organization.slug', '=', organizationSlug)
    .executeTakeFirst()
  return row ?? null
}
