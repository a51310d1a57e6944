import { type SqlBool, sql } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import { containsPattern } from '#domain/events/event-condition.ts'
import { textColumns } from './list/issue-fields.ts'

const maxWords = 8

/** Issues whose title or culprit has every word, unresolved and newest first. Those that were merged away have no hashes left. */
export async function searchIssueTitles(viewer: Viewer, text: string, limit: number) {
  const words = text.split(/\s+/).filter(Boolean).slice(0, maxWords)
  if (words.length === 0) return []
  const rows = await viewer.control
    .issues()
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.number', 'issue.title', 'issue.status', 'project.slug'])
    .where(({ and, or, exists }) =>
      and([
        ...words.map(word => {
          const pattern = containsPattern({ parts: [word] }).toLowerCase()
          return or(
            textColumns.map(column => sql<SqlBool>`lower(${sql.ref(`issue.${column}`)}) like ${pattern} escape '\\'`),
          )
        }),
        exists(
          viewer.control
            .issueHashes()
            .select('issue_hash.issue_id')
            .where(sql<SqlBool>`issue_hash.issue_id = issue.id`),
        ),
      ]),
    )
    .orderBy(sql`case issue.status when 'unresolved' then 0 else 1 end`)
    .orderBy('issue.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, number, title, status, slug }) => ({
    id,
    shortId: `${slug.toUpperCase()}-${number}`,
    title,
    status,
  }))
}
