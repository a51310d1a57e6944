/** Reads before there is a viewer. */
import type { Control } from '#store/control/control.ts'

/** The organization with this slug if the user is a member. Null also for an unknown slug, so that slugs can't be probed. */
export async function findMembership({ db }: Control, userId: string, organizationSlug: string) {
  const row = await db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .select(['organization.id', 'organization.slug', 'organization.name', 'member.role'])
    .select('organization.two_factor_from as twoFactorFrom')
    .where('member.user_id', '=', userId)
    .where('organization.slug', '=', organizationSlug)
    .executeTakeFirst()
  return row ?? null
}

/** All organizations of a user, in the order in which they joined. */
export function listMemberships({ db }: Control, userId: string) {
  return db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organization_id')
    .select(['organization.slug', 'organization.name', 'member.role'])
    .where('member.user_id', '=', userId)
    .orderBy('member.created_at')
    .orderBy('organization.id')
    .limit(200)
    .execute()
}

/** The organization that a user joined first. */
export async function findDefaultOrganization({ db }: Control, userId: string): Promise<string | null> {
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

/** Whether there is a user or an organization (`hydrant init` may create one without the other). */
export async function isSetUp({ db }: Control): Promise<boolean> {
  const user = await db.selectFrom('user').select('id').limit(1).executeTakeFirst()
  if (user) return true
  const organization = await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()
  return organization !== undefined
}
