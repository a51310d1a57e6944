import { countAdoption } from '#queries/releases/count-adoption.ts'
import { countReleaseEvents } from '#queries/releases/count-release-events.ts'
import { findReleaseNeighbours } from '#queries/releases/find-release-neighbours.ts'
import { listReleaseCommits } from '#queries/releases/list-release-commits.ts'
import { listReleaseDeploys } from '#queries/releases/list-release-deploys.ts'
import { listReleaseIssues } from '#queries/releases/list-release-issues.ts'
import { listFailedUploads, listReleaseBundles } from '#queries/releases/list-release-uploads.ts'
import type { Release } from '#queries/releases/read-releases.ts'
import type { Viewer } from '#queries/viewer.ts'
import { attempt } from '#web/attempt.ts'

/** All that the page of a release shows. What telemetry does not answer costs its panel only. */
export async function loadRelease(viewer: Viewer, release: Release) {
  const { version } = release
  const [neighbours, issues, deploys, commits, bundles, failedUploads, bars, adoption] = await Promise.all([
    findReleaseNeighbours(viewer, release),
    listReleaseIssues(viewer, version),
    listReleaseDeploys(viewer, release),
    listReleaseCommits(viewer, release),
    listReleaseBundles(viewer, version),
    listFailedUploads(viewer, version),
    attempt('release events', countReleaseEvents(viewer, release)),
    attempt('release adoption', countAdoption(viewer, [release])),
  ])
  return { viewer, release, neighbours, issues, deploys, commits, bundles, failedUploads, bars, adoption }
}

export type LoadedRelease = Awaited<ReturnType<typeof loadRelease>>
