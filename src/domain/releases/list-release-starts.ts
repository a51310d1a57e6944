import type { Viewer } from '#domain/access/viewer.ts'

/** When a release reached users: by a deploy, or else when the project first saw it. */
export type ReleaseStart = { version: string; at: number; isDeploy: boolean; environment: string }

type Wanted = {
  projectId: number
  since: number
  /** Only deploys to one of these count; those to other environments do not reach the same users. */
  environments: ReadonlySet<string>
}
const maxReleases = 100
const maxDeploys = 500

/** The starts of a project's releases since a time, oldest first. */
export async function listReleaseStarts(
  { control }: Pick<Viewer, 'control'>,
  { projectId, since, environments }: Wanted,
): Promise<ReleaseStart[]> {
  const project = control.within([projectId])
  const [seen, deploys] = await Promise.all([
    project
      .seenReleases()
      .select(['version', 'first_seen as at'])
      .where('first_seen', '>=', since)
      .orderBy('first_seen', 'desc')
      .limit(maxReleases)
      .execute(),
    project
      .deploys()
      .innerJoin('release_project', 'release_project.release_id', 'release.id')
      .select(['release.version', 'deploy.finished_at as at', 'deploy.environment'])
      .where('release_project.project_id', '=', projectId)
      .where('deploy.finished_at', '>=', since)
      .orderBy('deploy.finished_at', 'desc')
      .limit(maxDeploys)
      .execute(),
  ])
  const deployed = deploys
    .filter(({ environment }) => environments.has(environment))
    .map(deploy => ({ ...deploy, isDeploy: true }))
  const known = new Set(deployed.map(({ version }) => version))
  const others = seen
    .filter(({ version }) => !known.has(version))
    .map(release => ({ ...release, isDeploy: false, environment: '' }))
  return [...deployed, ...others].sort((a, b) => a.at - b.at || (a.version < b.version ? -1 : 1))
}
