/**
 * The table of `/api/0`: method, path, what the token needs, handler. `null` is enough for every token of the organization; `[org]` is
 * always the token's. A handler is named after its method.
 */

import { getAlertRule, getAlertRules, getDetector, getDetectors, getWorkflows } from './alerts/alert-rules.ts'
import { getChannels } from './alerts/channels.ts'
import { getUploadLimits, postAssembly, postChunks } from './artifacts/artifacts.ts'
import {
  getEventAttachment,
  getEventAttachments,
  getEventId,
  getIssueEvent,
  getIssueEvents,
  getProjectEvent,
  getProjectEvents,
} from './events/events.ts'
import { getAttributes, getExploredRows, getQueryValidity, getSeries, getTagKeys } from './explore/explore.ts'
import { changesIssues, changesManyIssues } from './issues/change-issues.ts'
import {
  deleteIssueNote,
  getIssueActivities,
  getIssueNotes,
  getIssueReports,
  postIssueNote,
  putIssueNote,
} from './issues/issue-activity.ts'
import {
  getExternalIssues,
  getIssue,
  getIssues,
  getIssueTag,
  getProjectIssues,
  getShortId,
  putIssue,
  putIssues,
  putProjectIssues,
} from './issues/issues.ts'
import { getMeasuredRoutes } from './measured-routes/measured-routes.ts'
import {
  getEnvironments,
  getMembers,
  getOrganizations,
  getProjects,
  getRegions,
  getRepositories,
  getTeams,
  getTokenInfo,
  getTokenOrganization,
  getTokenUser,
} from './organizations/organizations.ts'
import { getProject, getProjectEnvironments, getProjectKeys, getProjectTeams } from './organizations/projects.ts'
import { getReleaseCommits, getReleaseDeploys, postReleaseDeploy } from './releases/commits-and-deploys.ts'
import {
  deleteProjectRelease,
  getProjectRelease,
  getProjectReleaseCommits,
  postProjectRelease,
  putProjectRelease,
} from './releases/project-releases.ts'
import {
  deleteRelease,
  getPreviousRelease,
  getProjectReleases,
  getRelease,
  getReleases,
  postRelease,
  putRelease,
} from './releases/releases.ts'
import { getRecordingSegments, getReplay, getReplayCount, getReplays } from './replays/replays.ts'
import { type Route, route } from './route.ts'
import { getSpan, getTrace, getTraceCounts, getTraceLogs } from './traces/traces.ts'

const org = '/api/0/organizations/[org]'
const project = '/api/0/projects/[org]/[project]'
const issue = `${org}/issues/[issue]` as const
const event = `${project}/events/[event]` as const
const release = `${org}/releases/[version]` as const
const projectRelease = `${project}/releases/[version]` as const

export const routes: readonly Route[] = [
  route('GET', '/api/0', null, getTokenInfo),
  route('GET', '/api/0/auth', null, getTokenUser),
  route('GET', '/api/0/users/me/regions', null, getRegions),
  route('GET', '/api/0/organizations', null, getOrganizations),
  route('GET', org, null, getTokenOrganization),
  route('GET', `${org}/projects`, null, getProjects),
  route('GET', `${org}/teams`, 'team:read', getTeams),
  route('GET', `${org}/members`, 'member:read', getMembers),
  route('GET', `${org}/repos`, 'project:read', getRepositories),
  route('GET', `${org}/environments`, 'project:read', getEnvironments),

  route('GET', project, null, getProject),
  route('GET', `${project}/keys`, 'project:read', getProjectKeys),
  route('GET', `${project}/teams`, 'project:read', getProjectTeams),
  route('GET', `${project}/environments`, 'project:read', getProjectEnvironments),

  route('GET', `${org}/issues`, 'event:read', getIssues),
  route('PUT', `${org}/issues`, changesManyIssues, putIssues),
  route('GET', `${project}/issues`, 'event:read', getProjectIssues),
  route('PUT', `${project}/issues`, changesManyIssues, putProjectIssues),
  route('GET', issue, 'event:read', getIssue),
  route('PUT', issue, changesIssues, putIssue),
  // Without the organization, which is the token's.
  route('GET', '/api/0/issues/[issue]', 'event:read', getIssue),
  route('PUT', '/api/0/issues/[issue]', changesIssues, putIssue),
  route('GET', `${issue}/activities`, 'event:read', getIssueActivities),
  route('GET', `${issue}/notes`, 'event:read', getIssueNotes),
  route('POST', `${issue}/notes`, { does: ['issue.comment'] }, postIssueNote),
  route('PUT', `${issue}/notes/[note]`, { does: ['issue.comment'] }, putIssueNote),
  route('DELETE', `${issue}/notes/[note]`, { does: ['issue.comment'] }, deleteIssueNote),
  route('GET', `${issue}/user-reports`, 'event:read', getIssueReports),
  route('GET', `${issue}/external-issues`, 'event:read', getExternalIssues),
  route('GET', `${issue}/tags/[key]`, 'event:read', getIssueTag),
  route('GET', `${org}/shortids/[shortId]`, 'event:read', getShortId),

  route('GET', `${issue}/events`, 'event:read', getIssueEvents),
  route('GET', `${issue}/events/[event]`, 'event:read', getIssueEvent),
  route('GET', `${project}/events`, 'event:read', getProjectEvents),
  route('GET', event, 'event:read', getProjectEvent),
  route('GET', `${event}/attachments`, 'event:read', getEventAttachments),
  route('GET', `${event}/attachments/[attachment]`, 'event:read', getEventAttachment),
  route('GET', `${org}/eventids/[event]`, 'event:read', getEventId),

  route('GET', `${org}/releases`, 'project:read', getReleases),
  route('POST', `${org}/releases`, { does: ['release.create', 'release.change'] }, postRelease),
  // As version 2 of sentry-cli and the bundler plugins of SDK 10 name them.
  route('GET', `${project}/releases`, 'project:read', getProjectReleases),
  route('POST', `${project}/releases`, { does: ['release.create', 'release.change'] }, postProjectRelease),
  route('GET', projectRelease, 'project:read', getProjectRelease),
  route('PUT', projectRelease, { does: ['release.create', 'release.change'] }, putProjectRelease),
  route('DELETE', projectRelease, { does: ['release.delete'] }, deleteProjectRelease),
  route('GET', `${projectRelease}/commits`, 'project:read', getProjectReleaseCommits),
  route('GET', release, 'project:read', getRelease),
  route('PUT', release, { does: ['release.create', 'release.change'] }, putRelease),
  route('DELETE', release, { does: ['release.delete'] }, deleteRelease),
  route('GET', `${release}/commits`, 'project:read', getReleaseCommits),
  route('GET', `${release}/previous-with-commits`, 'project:read', getPreviousRelease),
  route('GET', `${release}/deploys`, 'project:read', getReleaseDeploys),
  route('POST', `${release}/deploys`, { does: ['release.deploy'] }, postReleaseDeploy),

  route('GET', `${org}/workflows`, 'project:read', getWorkflows),
  route('GET', `${org}/combined-rules`, 'project:read', getAlertRules),
  route('GET', `${org}/alert-rules`, 'project:read', getAlertRules),
  route('GET', `${org}/alert-rules/[rule]`, 'project:read', getAlertRule),
  route('GET', `${org}/channels`, 'project:read', getChannels),
  route('GET', `${org}/detectors`, 'project:read', getDetectors),
  route('GET', `${org}/detectors/[detector]`, 'project:read', getDetector),

  route('GET', `${org}/chunk-upload`, 'project:releases', getUploadLimits),
  route('POST', `${org}/chunk-upload`, { does: ['release.upload'] }, postChunks),
  route('POST', `${org}/artifactbundle/assemble`, { does: ['release.upload'] }, postAssembly),

  route('GET', `${org}/trace/[trace]`, 'event:read', getTrace),
  route('GET', `${org}/trace-meta/[trace]`, 'event:read', getTraceCounts),
  route('GET', `${org}/trace-logs`, 'event:read', getTraceLogs),
  route('GET', `${project}/trace-items/[item]`, 'event:read', getSpan),

  route('GET', `${org}/routes`, 'event:read', getMeasuredRoutes),

  route('GET', `${org}/replays`, 'event:read', getReplays),
  route('GET', `${org}/replay-count`, 'event:read', getReplayCount),
  route('GET', `${org}/replays/[replay]`, 'event:read', getReplay),
  route('GET', `${project}/replays/[replay]/recording-segments`, 'event:read', getRecordingSegments),

  route('GET', `${org}/events`, 'event:read', getExploredRows),
  route('GET', `${org}/events/validate`, 'event:read', getQueryValidity),
  route('GET', `${org}/events-stats`, 'event:read', getSeries),
  route('GET', `${org}/tags`, 'event:read', getTagKeys),
  route('GET', `${org}/trace-items/attributes`, 'event:read', getAttributes),
]
