import type { Viewer } from '#queries/viewer.ts'

/** The person behind a token as the API shows them; for a token that nobody made, the token itself. */
export function describeBearer({ user }: Viewer) {
  const { id, name, email } = user
  return { id, name, email, username: email || name, isActive: true }
}
