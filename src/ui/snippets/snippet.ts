/** One file for users to copy into their app. */
type Snippet = { id: string; label: string; code: string; note?: string }
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
