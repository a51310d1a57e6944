/** An organization with a member of each role, and its own secret for links. */
import { addMember, insertUser } from '#domain/members/add-member.ts'
import { inviteMember } from '#domain/members/invite-member.ts'
import type { Control } from '#store/control/control.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { makeWorld } from './workflow-world.ts'

export async function makeMembersWorld(control: Control) {
  const world = await makeWorld(control)
  const { organization_id: organizationId } = await control.db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', world.web)
    .executeTakeFirstOrThrow()
  const as = (userId: string) => ({ ...world.context, actor: `user:${userId}` })
  const addUser = async (name: string): Promise<string> => {
    const made = await insertUser(world.context, { email: `${name}@example.com`, name, passwordHash: 'x' })
    if (!made.ok) throw new Error(made.code)
    return made.userId
  }
  const add = async (name: string, role: MemberRole): Promise<string> => {
    const userId = await addUser(name)
    const added = await addMember(world.context, { organizationId, userId, role })
    if (!added.ok) throw new Error(added.code)
    return userId
  }
  const roleOf = async (userId: string): Promise<MemberRole | undefined> =>
    (
      await control.db
        .selectFrom('member')
        .select('role')
        .where('user_id', '=', userId)
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
    )?.role
  const invite = (by: string, role: MemberRole, more: { email?: string; teamIds?: number[] } = {}) =>
    inviteMember(as(by), {
      ...{ organizationId, email: more.email ?? '', role, teamIds: more.teamIds ?? [] },
      installationSecret: 'a secret of this installation',
    })
  const link = async (...given: Parameters<typeof invite>): Promise<string> => {
    const made = await invite(...given)
    if (!made.ok) throw new Error(made.code)
    return made.token
  }
  return { ...world, organizationId, owner: world.userId, as, addUser, add, roleOf, invite, link }
}
export type MembersWorld = Awaited<ReturnType<typeof makeMembersWorld>>
