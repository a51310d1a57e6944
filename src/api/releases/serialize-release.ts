import type { Viewer } from '#domain/access/viewer.ts'
import { findLastEvents } from '#domain/releases/list-release-issues.ts'
import type { Release } from '#domain/releases/read-releases.ts'
import { countReleaseFacts, type ReleaseFacts } from '#domain/releases/release-counts.ts'

/** Releases with the fields that tools require. */
export async function serializeReleases(viewer: Viewer, releases: readonly Release[]) {
  const [facts, lastEvents] = await Promise.all([countReleaseFacts(viewer, releases), findLastEvents(viewer, releases)])
  return releases.map(release =>
    serializeRelease(viewer, release, facts.get(release.version), lastEvents.get(release.version) ?? null),
  )
}

function serializeRelease(
  viewer: Viewer,
  release: Release,
  facts: ReleaseFacts | undefined,
  lastEventAt: number | null,
) {
  const { version } = release
  return {
    id: release.id ?? 0,
    version,
    shortVersion: shortVersion(version),
    status: 'open',
    ref: release.ref || null,
    url: release.url || null,
    dateCreated: iso(release.createdAt),
    dateStarted: iso(release.startedAt),
    dateReleased: iso(release.releasedAt),
    firstEvent: iso(release.firstSeen),
    lastEvent: iso(lastEventAt),
    data: {},
    owner: null,
    newGroups: facts?.newIssues ?? 0,
    commitCount: facts?.commitCount ?? 0,
    lastCommit: null,
    deployCount: facts?.deployCount ?? 0,
    lastDeploy: facts?.lastDeploy ? serializeDeploy(facts.lastDeploy) : null,
    authors: facts?.authors ?? [],
    projects: viewer.projects
      .filter(({ id }) => release.projectIds.includes(id))
      .map(({ id, slug, name }) => ({ id, slug, name, platform: null, newGroups: facts?.newIssuesOf.get(id) ?? 0 })),
  }
}

export function serializeDeploy(deploy: NonNullable<ReleaseFacts['lastDeploy']>) {
  return {
    id: String(deploy.id),
    environment: deploy.environment,
    name: deploy.name || null,
    url: deploy.url || null,
    dateStarted: iso(deploy.startedAt),
    dateFinished: iso(deploy.finishedAt),
  }
}

/** `shop@1.2.3` as `1.2.3`, and a commit hash by its beginning. */
function shortVersion(version: string): string {
  const bare = version.slice(version.lastIndexOf('@') + 1) || version
  return /^[0-9a-f]{40}$/.test(bare) ? bare.slice(0, 12) : bare
}

function iso(ms: number): string
function iso(ms: number | null): string | null
function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
