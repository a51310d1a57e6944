/**
 * What a token may do, by the names that Sentry's tools and their users know. A scope that stands in another's list is
 * contained in it, so that a route names the least it needs.
 */
export const tokenScopes = {
  'org:ci': { says: 'Upload source maps and manage releases, as a build does', gives: ['project:releases'] },
  'project:releases': { says: 'Upload source maps and manage releases', gives: ['project:read'] },
  'org:read': { says: 'Read the organization, its members and teams', gives: ['member:read', 'team:read'] },
  'project:read': { says: 'Read projects, their keys and releases', gives: [] },
  'event:read': { says: 'Read issues, events, traces and logs', gives: ['project:read'] },
  'event:write': { says: 'Resolve, archive and assign issues', gives: ['event:read', 'project:read'] },
  'member:read': { says: 'Read who belongs to the organization', gives: [] },
  'team:read': { says: 'Read teams', gives: [] },
} as const satisfies Record<string, { says: string; gives: readonly string[] }>

export type TokenScope = keyof typeof tokenScopes

export function isTokenScope(text: string): text is TokenScope {
  return Object.hasOwn(tokenScopes, text)
}

/** `allows(['org:ci'], 'project:releases')` is true. */
export function allows(scopes: readonly string[], needed: TokenScope): boolean {
  return scopes.some(
    scope =>
      scope === needed || (isTokenScope(scope) && tokenScopes[scope].gives.some(given => allows([given], needed))),
  )
}
