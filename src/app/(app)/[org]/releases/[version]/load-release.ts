import type { Viewer } from '#domain/access/viewer.ts'
import { listFailedUploads, listReleaseBundles } from '#domain/artifacts/list-uploads.ts'
import { compareRelease } from '#domain/findings/release/compare-release.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { countReleaseActivity } from '#domain/releases/count-release-activity.ts'
import { listReleaseCommits, listReleaseDeploys } from '#domain/releases/list-release-commits.ts'
import { findLastSeenIn, listReleaseIssues } from '#domain/releases/list-release-issues.ts'
import { findRelease, findReleaseNeighbors } from '#domain/releases/list-releases.ts'
import type { Release } from '#domain/releases/read-releases.ts'
import { countAdoption, countReleaseEvents } from '#domain/releases/release-counts.ts'
import { parseSearch } from '#search/parse-search.ts'
import { formatSearch } from '#search/search-term.ts'
import { attempt } from '#web/attempt.ts'
import { ranges } from '../../list-params.ts'

const seenIssues = 8
/** How far back issues of the release are counted and linked to. */
export const seenRange = '30d'

/** Everything the release page shows. If a telemetry query fails, only its panel is missing. */
export async function loadRelease(viewer: Viewer, release: Release) {
  const { version } = release
  const comparing = attempt('release comparison', compareWithPrevious())
  const [neighbors, issues, deploys, commits, bundles, failedUploads, bars, adoption, activity, seen, comparison] =
    await Promise.all([
      findReleaseNeighbors(viewer, release),
      listReleaseIssues(viewer, version),
      listReleaseDeploys(viewer, release),
      listReleaseCommits(viewer, release),
      listReleaseBundles(viewer, version),
      listFailedUploads(viewer, version),
      attempt('release events', countReleaseEvents(viewer, release)),
      attempt('release adoption', countAdoption(viewer, [release])),
      attempt('release activity', countReleaseActivity(viewer, release)),
      attempt('release issues', listSeen()),
      comparing,
    ])
  return {
    viewer,
    release,
    neighbors,
    issues,
    deploys,
    commits,
    bundles,
    failedUploads,
    bars,
    adoption,
    activity,
    seen,
    comparison,
  }

  async function compareWithPrevious() {
    const { previous } = await findReleaseNeighbors(viewer, release)
    return compareRelease(viewer, release, previous === null ? null : await findRelease(viewer, previous))
  }

  /** The issues that most events of the release belong to, and when they were seen last in it. */
  async function listSeen() {
    const { terms } = parseSearch(releaseSearch(version))
    const rangeMs = ranges[seenRange].ms
    const page = await listIssues(viewer, { terms, rangeMs, sort: 'events', limit: seenIssues })
    const issueIds = page.issues.map(({ id }) => id)
    return { ...page, lastSeen: await findLastSeenIn(viewer, version, { issueIds, since: viewer.now - rangeMs }) }
  }
}

/** A search for issues with events of the release, or for those that are new in it. */
export const releaseSearch = (version: string, key: 'release' | 'firstRelease' = 'release'): string =>
  formatSearch([{ kind: 'field', key, isNegated: false, comparison: '=', values: [{ parts: [version] }] }])

export type LoadedRelease = Awaited<ReturnType<typeof loadRelease>>
