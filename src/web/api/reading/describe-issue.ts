import type { IssueListRow } from '#queries/list-issues.ts'
import type { ProjectSummary } from '#queries/list-projects.ts'
import type { Viewer } from '#queries/viewer.ts'
import { publicOrigin } from '../public-origin.ts'
import { describeIssueStatus } from './issue-status.ts'

export type DescribedIssue = Omit<IssueListRow, 'hashes' | 'bars'>
export type IssueCalling = { viewer: Viewer; request: Request; projects: ReadonlyMap<number, ProjectSummary> }

/** An issue with the fields that tools read: ids and counts as text, moments as ISO dates. */
export function describeIssue(issue: DescribedIssue, { viewer, request, projects }: IssueCalling) {
  const project = projects.get(issue.projectId)
  const { id, assignee } = issue
  return {
    id: String(id),
    shareId: null,
    shortId: issue.shortId,
    title: issue.title,
    culprit: issue.culprit,
    permalink: `${publicOrigin(request)}/${viewer.organization.slug}/issues/${id}`,
    logger: null,
    level: issue.level,
    ...describeIssueStatus(issue.status, issue.substatus, issue.statusDetail),
    isPublic: false,
    platform: project?.platform || null,
    project: {
      id: String(issue.projectId),
      slug: issue.projectSlug,
      name: project?.name ?? issue.projectSlug,
      platform: project?.platform || null,
    },
    type: describeKind(issue.kind),
    issueType: 'error',
    issueCategory: 'error',
    metadata: describeTitle(issue.title),
    numComments: 0,
    assignedTo: assignee && {
      type: assignee.kind,
      id: assignee.id,
      name: assignee.name || assignee.email,
      email: assignee.email,
    },
    isBookmarked: false,
    isSubscribed: false,
    subscriptionDetails: null,
    hasSeen: issue.isSeen,
    annotations: [],
    priority: issue.priority,
    priorityLockedAt: null,
    seerFixabilityScore: null,
    isUnhandled: issue.isUnhandled,
    count: String(issue.events),
    userCount: issue.users,
    firstSeen: new Date(issue.firstSeen).toISOString(),
    lastSeen: new Date(issue.lastSeen).toISOString(),
    lastRelease: issue.lastRelease === '' ? null : describeVersion(issue.lastRelease),
  }
}

/** A kind that tools have no word for is the plainest one. */
export const describeKind = (kind: string): string => (kind === 'error' || kind === 'csp' ? kind : 'default')

/** An error's title is `Type: value`. */
export function describeTitle(title: string) {
  const [, type, value] = /^([\w.$<>-]{1,200}): (.*)$/s.exec(title) ?? []
  return type ? { title, type, value: value ?? '' } : { title, value: title }
}

export const describeVersion = (version: string) => ({ version, shortVersion: version.replace(/^[^@]*@(?=.)/, '') })
