/** The scopes of a token as its row keeps them. */
export function readScopes(text: string): string[] {
  const scopes: unknown = JSON.parse(text)
  return Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : []
}
