import { may, type Permission, roleFor } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { listMembers } from '#domain/members/list-members.ts'

export type Refusal = { title: string; text: string }

const shown = 3

/** Which role is needed, and who can give it. */
export async function describeRefusal(viewer: Viewer, permission: Permission): Promise<Refusal> {
  const needed = roleFor(permission)
  const givers = (await listMembers(viewer)).filter(({ role }) =>
    may(role, needed === 'owner' ? 'owner:write' : 'member:write'),
  )
  const names = givers.slice(0, shown).map(({ name, email }) => name || email)
  const others = givers.length > shown ? ` or ${givers.length - shown} others` : ''
  return {
    title: `This needs the role ${needed}`,
    text: `You are ${viewer.role} of ${viewer.organization.name}. Nothing was changed. ${names.join(', ')}${others} can change your role.`,
  }
}
