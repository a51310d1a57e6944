import { hasSlug } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { listSurvivingIds } from './find-issue.ts'

type NamedIssues =
  | { ok: true; issueIds: number[] }
  /** `name` is the first one that is neither an id nor a short id, or that no issue has. */
  | { ok: false; code: 'id_invalid' | 'issue_not_found'; name: string }

/**
 * The distinct issues with these ids (`42`) and short ids (`WEB-42`), or those that they were merged into. All or none: whoever changes
 * several issues means all of them.
 */
export async function findNamedIssues(viewer: Viewer, names: readonly string[]): Promise<NamedIssues> {
  const wanted = names.map(readName)
  const invalid = wanted.indexOf(null)
  if (invalid !== -1) return { ok: false, code: 'id_invalid', name: names[invalid] ?? '' }
  const byShortId = await readShortIds(
    viewer,
    wanted.flatMap(name => (name?.kind === 'short id' ? [name] : [])),
  )
  const ids = wanted.map(name => (name?.kind === 'short id' ? byShortId(name) : (name?.id ?? null)))
  const survivors = await listSurvivingIds(
    viewer,
    ids.filter(id => id !== null),
  )
  const living = new Set(await listLiving(viewer, survivors))
  const missing = ids.indexOf(null)
  if (missing !== -1) return { ok: false, code: 'issue_not_found', name: names[missing] ?? '' }
  const gone = survivors.find(id => !living.has(id))
  // An id without events keeps its name: it was merged into nothing.
  return gone === undefined
    ? { ok: true, issueIds: survivors }
    : { ok: false, code: 'issue_not_found', name: names[ids.indexOf(gone)] ?? String(gone) }
}

type Name = { kind: 'id'; id: number } | ShortId
type ShortId = { kind: 'short id'; slug: string; number: number }

function readName(text: string): Name | null {
  if (/^\d{1,15}$/.test(text)) return { kind: 'id', id: Number(text) }
  const [, slug, number] = /^(.{1,50})-(\d{1,9})$/.exec(text) ?? []
  return slug === undefined ? null : { kind: 'short id', slug: slug.toLowerCase(), number: Number(number) }
}

/** One statement for all of them. */
async function readShortIds(
  viewer: Viewer,
  shortIds: readonly ShortId[],
): Promise<(shortId: ShortId) => number | null> {
  const projectOf = ({ slug }: ShortId) =>
    viewer.projects.find(project => project.slug === slug) ?? viewer.projects.find(project => hasSlug(project, slug))
  const projectIds = shortIds.flatMap(shortId => projectOf(shortId)?.id ?? [])
  const rows =
    projectIds.length === 0
      ? []
      : await viewer.control
          .within(projectIds)
          .issues()
          .select(['id', 'project_id', 'number'])
          .where(
            'number',
            'in',
            shortIds.map(({ number }) => number),
          )
          .execute()
  const ids = new Map(rows.map(row => [`${row.project_id} ${row.number}`, row.id]))
  return shortId => ids.get(`${projectOf(shortId)?.id} ${shortId.number}`) ?? null
}

/** An issue without hashes was deleted. */
async function listLiving({ control }: Viewer, issueIds: readonly number[]): Promise<number[]> {
  if (issueIds.length === 0) return []
  const rows = await control.issueHashes().select('issue_id').distinct().where('issue_id', 'in', issueIds).execute()
  return rows.map(row => row.issue_id)
}
