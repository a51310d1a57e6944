import type { TokenScope } from '#domain/tokens/token-scopes.ts'
import type { MemberRole } from '#store/control/schema.ts'

/** The roles that have each permission. */
const table = {
  'project:read': ['owner', 'admin', 'member', 'viewer'],
  'issue:read': ['owner', 'admin', 'member', 'viewer'],
  'member:read': ['owner', 'admin', 'member', 'viewer'],
  'issue:write': ['owner', 'admin', 'member'],
  'issue:comment': ['owner', 'admin', 'member'],
  // Cannot be undone after an hour.
  'issue:delete': ['owner', 'admin'],
  'issue:discard': ['owner', 'admin'],
  'project:create': ['owner', 'admin', 'member'],
  'project:write': ['owner', 'admin'],
  'project:delete': ['owner', 'admin'],
  'key:write': ['owner', 'admin'],
  'token:write': ['owner', 'admin'],
  'member:write': ['owner', 'admin'],
  'audit:read': ['owner', 'admin'],
  // Cannot be undone.
  'user-data:delete': ['owner', 'admin'],
  'owner:write': ['owner'],
  'organization:write': ['owner'],
  'organization:delete': ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>

export type Permission = keyof typeof table

/**
 * Every change that a member or token can make, with the permission that the role needs and the scope that the token needs; `null` if
 * tokens can't do it. Server actions, the API and the buttons all read this table, so they cannot disagree.
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
  'issue.link': { permission: 'issue:write', scope: null },
  'issue.unlink': { permission: 'issue:write', scope: null },
  'issue.delete': { permission: 'issue:delete', scope: null },
  'issue.discard': { permission: 'issue:discard', scope: null },
  'project.create': { permission: 'project:create', scope: null },
  'project.change': { permission: 'project:write', scope: null },
  'project.delete': { permission: 'project:delete', scope: null },
  'project.restore': { permission: 'project:delete', scope: null },
  'project.filter': { permission: 'project:write', scope: null },
  'scrub-rule.project': { permission: 'project:write', scope: null },
  'scrub-rule.organization': { permission: 'organization:write', scope: null },
  'user-data.delete': { permission: 'user-data:delete', scope: null },
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

/** The distinct scopes that a token needs for these verbs; null stands for a verb that tokens can't do. */
export function scopesOf(needed: readonly Verb[]): readonly (TokenScope | null)[] {
  return [...new Set(needed.map(verb => verbs[verb].scope))]
}

export function may(role: MemberRole, permission: Permission): boolean {
  const roles: readonly MemberRole[] = table[permission]
  return roles.includes(role)
}

/** Only an owner can grant the owner role. */
export function mayGrantRole(granter: MemberRole, role: MemberRole): boolean {
  return may(granter, role === 'owner' ? 'owner:write' : 'member:write')
}
