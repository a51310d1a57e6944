import type { MemberRole } from '#store/control/schema.ts'
import { type AddMemberResult, addMember } from './add-member.ts'
import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { type InsertUserResult, insertUser } from './insert-user.ts'
import { hashNewPassword, type PasswordFault } from './password.ts'

export type NewPerson = {
  email: string
  name?: string | undefined
  /** Used if the person is new; somebody who exists keeps their own. */
  password: string
  role: MemberRole
  /** May be left out while there is one organisation. */
  organizationSlug?: string | undefined
}
type Refused<Result> = Extract<Result, { ok: false }>
export type AddPersonResult =
  | { ok: true; userId: string; isNewUser: boolean; organizationSlug: string }
  | Refused<InsertUserResult>
  | Refused<AddMemberResult>
  | { ok: false; code: PasswordFault | 'organization_unclear' }

/** A member of an organisation, and the person too if they are not known yet. */
export async function addPerson(context: CommandContext, given: NewPerson): Promise<AddPersonResult> {
  const hashed = await hashNewPassword(given.password)
  if (!hashed.ok) return hashed
  return inTransaction<AddPersonResult>(context, async inner => {
    const { email, name, role } = given
    const organizations = await findOrganizations(inner, given.organizationSlug)
    const [organization] = organizations
    if (organization === undefined) return { ok: false, code: 'organization_not_found' }
    if (organizations.length > 1) return { ok: false, code: 'organization_unclear' }
    const present = await findUserId(inner, email)
    const user =
      present === undefined
        ? await insertUser(inner, { email, name, passwordHash: hashed.hash })
        : { ok: true as const, userId: present }
    if (!user.ok) return user
    const member = await addMember(inner, { organizationId: organization.id, userId: user.userId, role })
    if (!member.ok) return member
    return { ok: true, userId: user.userId, isNewUser: present === undefined, organizationSlug: organization.slug }
  })
}

function findOrganizations({ db }: CommandContext, slug: string | undefined) {
  const two = db.selectFrom('organization').select(['id', 'slug']).orderBy('id').limit(2)
  return slug === undefined ? two.execute() : two.where('slug', '=', slug).execute()
}

async function findUserId({ db }: CommandContext, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  return row?.id
}
