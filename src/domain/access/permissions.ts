import type { TokenScope } from '#domain/tokens/token-scopes.ts'
import type { MemberRole } from '#store/control/schema.ts'

/** The roles that have each permission. */
const table = {
  'project:read': ['owner', 'admin', 'member', 'viewer'],
  'issue:read': ['owner', 'admin', 'member', 'viewer'],
  'member:read': ['owner', 'admin', 'member', 'viewer'],
  'membership:leave': ['owner', 'admin', 'member', 'viewer'],
  'own-token:write': ['owner', 'admin', 'member', 'viewer'],
  'issue:write': ['owner', 'admin', 'member'],
  'issue:comment': ['owner', 'admin', 'member'],
  // Cannot be undone after an hour.
  'issue:delete': ['owner', 'admin'],
  'issue:discard': ['owner', 'admin'],
  'rule:write': ['owner', 'admin', 'member'],
  'incident:write': ['owner', 'admin', 'member'],
  'project:create': ['owner', 'admin', 'member'],
  'release:write': ['owner', 'admin', 'member'],
  'project:write': ['owner', 'admin'],
  // Private projects, without being in one of their teams. Who changes teams could join one anyway.
  'project:all': ['owner', 'admin'],
  'project:delete': ['owner', 'admin'],
  'key:write': ['owner', 'admin'],
  'token:write': ['owner', 'admin'],
  'member:write': ['owner', 'admin'],
  'channel:write': ['owner', 'admin'],
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
  'issue.create': { permission: 'issue:write', scope: null },
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
  'rule.create': { permission: 'rule:write', scope: null },
  'rule.change': { permission: 'rule:write', scope: null },
  'rule.delete': { permission: 'rule:write', scope: null },
  'rule.snooze': { permission: 'rule:write', scope: null },
  'incident.acknowledge': { permission: 'incident:write', scope: null },
  'incident.comment': { permission: 'incident:write', scope: null },
  'incident.close': { permission: 'incident:write', scope: null },
  // Everybody has a bell of their own.
  'notification.read': { permission: 'issue:read', scope: null },
  'notification.choose': { permission: 'issue:read', scope: null },
  'view.save': { permission: 'issue:read', scope: null },
  'view.share': { permission: 'issue:write', scope: null },
  'project.create': { permission: 'project:create', scope: null },
  'project.change': { permission: 'project:write', scope: null },
  'project.delete': { permission: 'project:delete', scope: null },
  'project.restore': { permission: 'project:delete', scope: null },
  'project.filter': { permission: 'project:write', scope: null },
  'project.access': { permission: 'project:write', scope: null },
  'scrub-rule.project': { permission: 'project:write', scope: null },
  'scrub-rule.organization': { permission: 'organization:write', scope: null },
  'user-data.delete': { permission: 'user-data:delete', scope: null },
  'replay.delete': { permission: 'user-data:delete', scope: null },
  'key.create': { permission: 'key:write', scope: null },
  'key.switch': { permission: 'key:write', scope: null },
  'token.create': { permission: 'token:write', scope: null },
  'token.revoke': { permission: 'token:write', scope: null },
  'token.create-own': { permission: 'own-token:write', scope: null },
  'token.revoke-own': { permission: 'own-token:write', scope: null },
  'member.invite': { permission: 'member:write', scope: null },
  'member.uninvite': { permission: 'member:write', scope: null },
  'member.role': { permission: 'member:write', scope: null },
  'member.remove': { permission: 'member:write', scope: null },
  'member.leave': { permission: 'membership:leave', scope: null },
  'organization.transfer': { permission: 'owner:write', scope: null },
  'team.create': { permission: 'member:write', scope: null },
  'team.change': { permission: 'member:write', scope: null },
  'team.delete': { permission: 'member:write', scope: null },
  'organization.require_two_factor': { permission: 'organization:write', scope: null },
  'channel.create': { permission: 'channel:write', scope: null },
  'channel.change': { permission: 'channel:write', scope: null },
  'channel.delete': { permission: 'channel:write', scope: null },
  'channel.test': { permission: 'channel:write', scope: null },
  'channel.resend': { permission: 'channel:write', scope: null },
  'release.create': { permission: 'release:write', scope: 'project:releases' },
  'release.change': { permission: 'release:write', scope: 'project:releases' },
  'release.delete': { permission: 'release:write', scope: 'project:releases' },
  'release.deploy': { permission: 'release:write', scope: 'project:releases' },
  'release.upload': { permission: 'release:write', scope: 'project:releases' },
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

/** From the least to the most. */
export const roles: readonly MemberRole[] = ['viewer', 'member', 'admin', 'owner']

/** The lower of two roles. */
export const lowerRole = (one: MemberRole, other: MemberRole): MemberRole =>
  roles.indexOf(one) < roles.indexOf(other) ? one : other

/** The lowest role that has a permission: the one to ask for. */
export function roleFor(permission: Permission): MemberRole {
  return roles.find(role => may(role, permission)) ?? 'owner'
}

export const permissionOf = (verb: Verb): Permission => verbs[verb].permission

/** Only an owner can grant the owner role. */
export function mayGrantRole(granter: MemberRole, role: MemberRole): boolean {
  return may(granter, role === 'owner' ? 'owner:write' : 'member:write')
}
