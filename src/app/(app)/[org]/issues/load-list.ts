import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueFilter } from '#domain/issues/list/issue-filter.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { knownUsualShares } from '#domain/issues/usual-shares.ts'
import { listProjects } from '#domain/projects/list-projects.ts'
import { afterResponse } from '#web/after-response.ts'
import { attempt } from '#web/attempt.ts'
import { type IssueParams, readFilter } from './search-params.ts'

type Page = Awaited<ReturnType<typeof listIssues>>
type Projects = Awaited<ReturnType<typeof listProjects>>
export type IssueList =
  | { kind: 'read'; page: Page; arrived: Projects; filter: IssueFilter }
  | { kind: 'failed'; reference: string }
  /** The search has an error, which the search box explains. */
  | { kind: 'fault' }

/** The page of the list that the search box counts and the table shows. */
export async function loadList(viewer: Viewer, params: IssueParams): Promise<IssueList> {
  const read = readFilter(viewer, params)
  if (!read.ok) return { kind: 'fault' }
  // Read before the list, so that events in between are announced and not missed.
  const arrived = await listProjects(viewer)
  const page = await attempt('issues', listIssues(viewer, read.filter))
  if (!page.ok) return { kind: 'failed', reference: page.reference }
  afterResponse(() => readUsualShares(viewer, page.value))
  return { kind: 'read', page: page.value, arrived, filter: read.filter }
}

const mostProjects = 3

/** For the findings of the issues that may be opened next: without them the first one would wait. */
function readUsualShares(viewer: Viewer, { issues }: Page): void {
  for (const projectId of [...new Set(issues.map(issue => issue.projectId))].slice(0, mostProjects))
    knownUsualShares(viewer, projectId)
}
