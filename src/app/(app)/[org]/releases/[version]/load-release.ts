import type { Viewer } from '#domain/access/viewer.ts'
import { listFailedUploads, listReleaseBundles } from '#domain/artifacts/list-uploads.ts'
import { listReleaseCommits, listReleaseDeploys } from '#domain/releases/list-release-commits.ts'
import { listReleaseIssues } from '#domain/releases/list-release-issues.ts'
import { findReleaseNeighbors } from '#domain/releases/list-releases.ts'
import type { Release } from '#domain/releases/read-releases.ts'
import { countAdoption, countReleaseEvents } from '#domain/releases/release-counts.ts'
import { attempt } from '#web/attempt.ts'

/** Everything the release page shows. If a telemetry query fails, only its panel is missing. */
export async function loadRelease(viewer: Viewer, release: Release) {
  const { version } = release
  const [neighbors, issues, deploys, commits, bundles, failedUploads, bars, adoption] = await Promise.all([
    findReleaseNeighbors(viewer, release),
    listReleaseIssues(viewer, version),
    listReleaseDeploys(viewer, release),
    listReleaseCommits(viewer, release),
    listReleaseBundles(viewer, version),
    listFailedUploads(viewer, version),
    attempt('release events', countReleaseEvents(viewer, release)),
    attempt('release adoption', countAdoption(viewer, [release])),
  ])
  return { viewer, release, neighbors, issues, deploys, commits, bundles, failedUploads, bars, adoption }
}

export type LoadedRelease = Awaited<ReturnType<typeof loadRelease>>
