import type { Viewer } from '../viewer.ts'
import type { Release } from './read-releases.ts'

export type ReleaseFacts = {
  newIssues: number
  commitCount: number
  deployCount: number
  lastDeploy: {
    id: number
    environment: string
    name: string
    url: string
    startedAt: number | null
    finishedAt: number
  } | null
  authors: { name: string; email: string }[]
}

/** What a list says about each of its releases, in as many questions for fifty of them as for one. */
export async function countReleaseFacts(
  viewer: Viewer,
  releases: readonly Release[],
): Promise<Map<string, ReleaseFacts>> {
  const ids = releases.flatMap(({ id }) => (id === null ? [] : [id]))
  const [issues, deploys, commits] = await Promise.all([
    countNewIssues(viewer, releases),
    readDeploys(viewer, ids),
    readAuthors(viewer, ids),
  ])
  return new Map(
    releases.map(({ version, id }) => {
      const own = deploys.filter(deploy => deploy.releaseId === id)
      const authors = commits.filter(commit => commit.release_id === id)
      const { releaseId: _, ...lastDeploy } = own[0] ?? { releaseId: 0 }
      return [
        version,
        {
          newIssues: issues.get(version) ?? 0,
          deployCount: own.length,
          lastDeploy: 'id' in lastDeploy ? lastDeploy : null,
          commitCount: authors.reduce((sum, author) => sum + Number(author.count), 0),
          authors: authors.map(author => ({ name: author.author_name, email: author.author_email })),
        },
      ]
    }),
  )
}

/** Issues whose first event came with the release: the earliest of an issue's hashes decides. */
async function countNewIssues(viewer: Viewer, releases: readonly Release[]): Promise<Map<string, number>> {
  const projects = [...new Set(releases.flatMap(release => release.projectIds))]
  if (projects.length === 0) return new Map()
  const rows = await viewer.control.db
    .selectFrom('issue_hash')
    .select(({ fn }) => ['first_release', fn.count<number>('issue_id').distinct().as('count')])
    .where('project_id', 'in', projects)
    .where(
      'first_release',
      'in',
      releases.map(({ version }) => version),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issue_hash as earlier')
            .select('earlier.issue_id')
            .whereRef('earlier.issue_id', '=', 'issue_hash.issue_id')
            .whereRef('earlier.first_seen', '<', 'issue_hash.first_seen'),
        ),
      ),
    )
    .groupBy('first_release')
    .execute()
  return new Map(rows.map(row => [row.first_release, Number(row.count)]))
}

async function readDeploys(viewer: Viewer, releaseIds: number[]) {
  if (releaseIds.length === 0) return []
  const rows = await viewer.control.db
    .selectFrom('deploy')
    .select(['id', 'release_id', 'environment', 'name', 'url', 'started_at', 'finished_at'])
    .where('release_id', 'in', releaseIds)
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(5_000)
    .execute()
  return rows.map(({ release_id, started_at, finished_at, ...deploy }) => ({
    ...deploy,
    releaseId: release_id,
    startedAt: started_at,
    finishedAt: finished_at,
  }))
}

async function readAuthors(viewer: Viewer, releaseIds: number[]) {
  if (releaseIds.length === 0) return []
  return viewer.control.db
    .selectFrom('release_commit')
    .select(({ fn }) => ['release_id', 'author_name', 'author_email', fn.countAll<number>().as('count')])
    .where('release_id', 'in', releaseIds)
    .groupBy(['release_id', 'author_name', 'author_email'])
    .orderBy('author_email')
    .limit(5_000)
    .execute()
}
