import type { MemberRole } from '#store/control/schema.ts'

/** Who may do what, as a table: to read it is to know it. A role that is not named may not. */
const table = {
  'project:read': ['owner', 'admin', 'member', 'viewer'],
  'issue:read': ['owner', 'admin', 'member', 'viewer'],
  'member:read': ['owner', 'admin', 'member', 'viewer'],
  'issue:write': ['owner', 'admin', 'member'],
  'issue:comment': ['owner', 'admin', 'member'],
  // What these take away is gone for everybody, within an hour.
  'issue:delete': ['owner', 'admin'],
  'issue:discard': ['owner', 'admin'],
  'project:create': ['owner', 'admin', 'member'],
  'project:write': ['owner', 'admin'],
  'project:delete': ['owner', 'admin'],
  'key:write': ['owner', 'admin'],
  'token:write': ['owner', 'admin'],
  'member:write': ['owner', 'admin'],
  'audit:read': ['owner', 'admin'],
  'owner:write': ['owner'],
  'organization:write': ['owner'],
  'organization:delete': ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>

export type Permission = keyof typeof table

export function may(role: MemberRole, permission: Permission): boolean {
  const roles: readonly MemberRole[] = table[permission]
  return roles.includes(role)
}

/** A person gives away no more than they have: only an owner makes an owner. */
export function mayGrantRole(granter: MemberRole, role: MemberRole): boolean {
  return may(granter, role === 'owner' ? 'owner:write' : 'member:write')
}
