import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueListRow } from '#domain/issues/list-issues.ts'
import type { ProjectSummary } from '#domain/projects/list-projects.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import type { IssueStatus, IssueSubstatus } from '#store/control/schema.ts'
import { readArchive, readResolution } from '#store/control/status-detail.ts'
import { publicOrigin } from '../pages.ts'

type SerializedIssue = Omit<IssueListRow, 'hashes' | 'bars'>
type IssueCall = { viewer: Viewer; request: Request; projects: ReadonlyMap<number, ProjectSummary> }

/** An issue with the fields that tools read: ids and counts as text, times as ISO dates. */
export function serializeIssue(issue: SerializedIssue, { viewer, request, projects }: IssueCall) {
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
    ...serializeIssueStatus(issue.status, issue.substatus, issue.statusDetail),
    isPublic: false,
    platform: project?.platform || null,
    project: {
      id: String(issue.projectId),
      slug: issue.projectSlug,
      name: project?.name ?? issue.projectSlug,
      platform: project?.platform || null,
    },
    type: serializeKind(issue.kind),
    issueType: issue.kind === feedbackKind ? 'feedback' : 'error',
    issueCategory: issue.kind === feedbackKind ? 'feedback' : 'error',
    metadata: serializeTitle(issue.title),
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
    isEstimate: issue.isSampled,
    userCount: issue.users,
    firstSeen: new Date(issue.firstSeen).toISOString(),
    lastSeen: new Date(issue.lastSeen).toISOString(),
    lastRelease: issue.lastRelease === '' ? null : serializeVersion(issue.lastRelease),
  }
}

/** Kinds that Sentry doesn't know become `default`. */
export const serializeKind = (kind: string): string => (kind === 'error' || kind === 'csp' ? kind : 'default')

/** An error's title is `Type: value`. */
export function serializeTitle(title: string) {
  const [, type, value] = /^([\w.$<>-]{1,200}): (.*)$/s.exec(title) ?? []
  return type ? { title, type, value: value ?? '' } : { title, value: title }
}

export const serializeVersion = (version: string) => ({ version, shortVersion: version.replace(/^[^@]*@(?=.)/, '') })

/** Sentry's API calls archived issues `ignored`. */
export function serializeIssueStatus(status: IssueStatus, substatus: IssueSubstatus, detail: string) {
  if (status === 'unresolved') return { status, substatus, statusDetails: {} }
  if (status === 'resolved') return { status, substatus: null, statusDetails: resolutionOf(detail) }
  const until = readArchive(detail)
  switch (until.kind) {
    case 'forever':
      return { status: 'ignored', substatus: 'archived_forever', statusDetails: {} }
    case 'until_escalating':
      return { status: 'ignored', substatus: 'archived_until_escalating', statusDetails: {} }
    case 'until_date':
      return conditional({ ignoreUntil: new Date(until.at).toISOString() })
    // Tools expect the number they sent, which counts from the time of the archive.
    case 'until_events':
      return conditional({ ignoreCount: until.more ?? until.count })
    case 'until_users':
      return conditional({ ignoreUserCount: until.more ?? until.count })
  }
}

const conditional = (statusDetails: Record<string, unknown>) => ({
  status: 'ignored',
  substatus: 'archived_until_condition_met',
  statusDetails,
})

function resolutionOf(detail: string): Record<string, unknown> {
  const how = readResolution(detail)
  if (how.kind === 'in_release') return { inRelease: how.version }
  return how.kind === 'next_release' ? { inNextRelease: true } : {}
}
