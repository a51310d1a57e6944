/** One or several files for users to copy into their app; each begins with a comment that has its name. */
type Snippet = {
  id: string
  label: string
  code: string
  note?: string
  /** Uploads source maps, for which the build needs a token. */
  needsToken?: true
}
export type SnippetSet = { id: string; label: string; lede: string; snippets: Snippet[] }

/** The DSN with its parts, and the slugs for uploads of source maps. */
export type Connection = {
  dsn: string
  publicUrl: string
  publicKey: string
  projectId: number
  organization: string
  project: string
}

/** Followed by the token itself, or by where to get one. */
export const tokenNote = 'Source maps are uploaded by the build if SENTRY_AUTH_TOKEN is set there.'
