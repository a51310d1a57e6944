import type { Viewer } from '../viewer.ts'
import { newInReleases } from './new-in-releases.ts'
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

async function countNewIssues(viewer: Viewer, releases: readonly Release[]): Promise<Map<string, number>> {
  if (releases.length === 0) return new Map()
  const versions = releases.map(({ version }) => version)
  const rows = await newInReleases(viewer, versions)
    .select(({ fn }) => ['first_release', fn.count<number>('issue_id').distinct().as('count')])
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
