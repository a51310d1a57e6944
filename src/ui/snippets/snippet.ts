/** One file that a reader copies into their app. */
type Snippet = { id: string; label: string; code: string; note?: string }
export type SnippetSet = { id: string; label: string; lede: string; snippets: Snippet[] }

/** A DSN in its parts, and the slugs that a build uploads its source maps to. */
export type Connection = {
  dsn: string
  publicUrl: string
  publicKey: string
  projectId: number
  organization: string
  project: string
}
