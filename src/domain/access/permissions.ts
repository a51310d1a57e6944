import type { TokenScope } from '#domain/tokens/token-scopes.ts'
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

/**
 * Every change that a person or a token can make: the permission that a role needs for it, and the scope that a token needs. `null`
 * where no token may. Actions, the API and the buttons on pages all read this table, so a verb cannot be guarded in one place only.
 */
const verbs = {
  'issue.resolve': { permission: 'issue:write', scope: 'event:write' },
  'issue.archive': { permission: 'issue:write', scope: 'event:write' },
  'issue.reopen': { permission: 'issue:write', scope: 'event:write' },
  'issue.assign': { permission: 'issue:write', scope: 'event:write' },
  'issue.priority': { permission: 'issue:write', scope: 'event:write' },
  'issue.merge': { permission: 'issue:write', scope: 'event:write' },
  'issue.unmerge': { permission: 'issue:write', scope: null },
  'issue.comment': { permission: 'issue:comment', scope: 'event:write' },
  'issue.delete': { permission: 'issue:delete', scope: null },
  'issue.discard': { permission: 'issue:discard', scope: null },
  'project.create': { permission: 'project:create', scope: null },
  'project.filter': { permission: 'project:write', scope: null },
  'key.create': { permission: 'key:write', scope: null },
  'key.switch': { permission: 'key:write', scope: null },
  'token.create': { permission: 'token:write', scope: null },
  'token.revoke': { permission: 'token:write', scope: null },
  'team.create': { permission: 'member:write', scope: null },
  'team.change': { permission: 'member:write', scope: null },
  'team.delete': { permission: 'member:write', scope: null },
  'release.create': { permission: 'project:write', scope: 'project:releases' },
  'release.change': { permission: 'project:write', scope: 'project:releases' },
  'release.delete': { permission: 'project:write', scope: 'project:releases' },
  'release.deploy': { permission: 'project:write', scope: 'project:releases' },
  'release.upload': { permission: 'project:write', scope: 'project:releases' },
} as const satisfies Record<string, { permission: Permission; scope: TokenScope | null }>

export type Verb = keyof typeof verbs

/** `mayDo('member', 'issue.delete')` is false. */
export function mayDo(role: MemberRole, verb: Verb): boolean {
  return may(role, verbs[verb].permission)
}

/** The scope that a token needs to do all of these; null where one of them is not for tokens. */
export function scopesOf(needed: readonly Verb[]): readonly (TokenScope | null)[] {
  return [...new Set(needed.map(verb => verbs[verb].scope))]
}

export function may(role: MemberRole, permission: Permission): boolean {
  const roles: readonly MemberRole[] = table[permission]
  return roles.includes(role)
}

/** A person gives away no more than they have: only an owner makes an owner. */
export function mayGrantRole(granter: MemberRole, role: MemberRole): boolean {
  return may(granter, role === 'owner' ? 'owner:write' : 'member:write')
}
