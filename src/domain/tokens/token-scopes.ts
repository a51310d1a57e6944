/**
 * Token scopes with Sentry's names. A scope includes those in its list, so an API route names the smallest scope it needs.
 */
export const tokenScopes = {
  'org:ci': { description: 'Upload source maps and manage releases from CI', includes: ['project:releases'] },
  'project:releases': { description: 'Upload source maps and manage releases', includes: ['project:read'] },
  'org:read': { description: 'Read the organization, its members and teams', includes: ['member:read', 'team:read'] },
  'project:read': { description: 'Read projects, their keys and releases', includes: [] },
  'event:read': { description: 'Read issues, events, traces and logs', includes: ['project:read'] },
  'event:write': { description: 'Resolve, archive and assign issues', includes: ['event:read', 'project:read'] },
  'member:read': { description: 'Read members of the organization', includes: [] },
  'team:read': { description: 'Read teams', includes: [] },
} as const satisfies Record<string, { description: string; includes: readonly string[] }>

export type TokenScope = keyof typeof tokenScopes

export function isTokenScope(text: string): text is TokenScope {
  return Object.hasOwn(tokenScopes, text)
}

/** `allows(['org:ci'], 'project:releases')` is true. */
export function allows(scopes: readonly string[], needed: TokenScope): boolean {
  return scopes.some(
    scope =>
      scope === needed || (isTokenScope(scope) && tokenScopes[scope].includes.some(given => allows([given], needed))),
  )
}
