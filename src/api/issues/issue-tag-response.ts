import { explore } from '#domain/explore/explore.ts'
import { apiNotFound } from '../api-error.ts'
import type { IssueCall } from '../named-resources.ts'
import { faultResponse } from '../read-filter.ts'

const maxValues = 100

/** Tags of Sentry's tools that are fields in Hydrant. */
const aliases: Readonly<Record<string, string>> = { user: 'user.display', handled: 'error.handled' }

/** Only one word can be a field by itself. */
const fieldOf = (name: string): string => (/^[\w./:@-]+$/.test(name) ? name : `tags[${name}]`)

export async function issueTagResponse({ viewer, issue }: Pick<IssueCall, 'viewer' | 'issue'>, key: string) {
  const name = Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key
  const field = fieldOf(name)
  const ofIssue = { projectIds: [issue.projectId], hashes: issue.hashes, from: issue.firstSeen, to: issue.lastSeen + 1 }
  const query = { dataset: 'errors', query: `has:"${field.replace(/["\\]/g, '')}"` }
  const [found, all] = await Promise.all([
    explore(
      viewer,
      { ...query, fields: [field, 'count()', 'first_seen()', 'last_seen()'], sort: ['-count()'] },
      ofIssue,
      { limit: maxValues, offset: 0 },
    ),
    explore(viewer, { ...query, fields: ['count()', `count_unique(${field})`], sort: [] }, ofIssue, {
      limit: 1,
      offset: 0,
    }),
  ])
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
  // Also of the values that are not listed.
  const whole = all.ok ? all.rows[0] : undefined
  return Response.json({
    key,
    name: key,
    uniqueValues: Number(whole?.[`count_unique(${field})`] ?? values.length),
    totalValues: Number(whole?.['count()'] ?? 0),
    topValues: values,
  })
}
