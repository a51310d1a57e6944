import { trimEndOf } from '#lib/trim-end-of.ts'

/** `/api/0/projects/?limit=5` → `/api/0/projects?limit=5`. Sentry's tools end every path with a slash. */
export function withoutLastSlash(url: string): string {
  const queryAt = url.indexOf('?')
  const path = queryAt === -1 ? url : url.slice(0, queryAt)
  return trimEndOf(path, '/') + url.slice(path.length)
}
