import { explore } from '#domain/explore/explore.ts'
import { apiNotFound } from '../api-error.ts'
import type { IssueCall } from '../named-resources.ts'
import { faultResponse } from '../read-filter.ts'

const maxValues = 100

/** Tags of Sentry's tools that are fields in Hydrant. */
const aliases: Readonly<Record<string, string>> = { user: 'user.display', handled: 'error.handled' }

export async function issueTagResponse({ viewer, issue }: Pick<IssueCall, 'viewer' | 'issue'>, key: string) {
  const field = Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key
  const found = await explore(
    viewer,
    {
      dataset: 'errors',
      fields: [field, 'count()', 'first_seen()', 'last_seen()'],
      query: `has:"${field.replace(/["\\]/g, '')}"`,
      sort: ['-count()'],
    },
    { projectIds: [issue.projectId], hashes: issue.hashes, from: issue.firstSeen, to: issue.lastSeen + 1 },
    { limit: maxValues, offset: 0 },
  )
  if (!found.ok) return found.code === 'too_slow' ? faultResponse(found) : apiNotFound()
  const values = found.rows.map(row => ({
    key,
    name: String(row[field] ?? ''),
    value: String(row[field] ?? ''),
    count: Number(row['count()'] ?? 0),
    firstSeen: row['first_seen()'],
    lastSeen: row['last_seen()'],
  }))
  if (values.length === 0) return apiNotFound()
  return Response.json({
    key,
    name: key,
    uniqueValues: values.length,
    totalValues: values.reduce((sum, { count }) => sum + count, 0),
    topValues: values,
  })
}
