/** Every exported read of `domain`, called with what belongs to the other organization. */
import { type Viewer, viewerAt } from '#domain/access/viewer.ts'
import { chartIncident } from '#domain/alerts/chart-incident.ts'
import { chartRule } from '#domain/alerts/chart-rule.ts'
import { drawPreview } from '#domain/alerts/draw-preview.ts'
import { readIncidentNames } from '#domain/alerts/headlines.ts'
import {
  countOpenIncidents,
  findIncident,
  isStillFailing,
  type ListedIncident,
  listIncidents,
  listIncidentUpdates,
  nameActors,
} from '#domain/alerts/list-incidents.ts'
import { findRule, listRuleChannels, listRules } from '#domain/alerts/list-rules.ts'
import { metricSchema } from '#domain/alerts/metric.ts'
import { countUnread, listNotificationChoices, listNotifications, readLines } from '#domain/alerts/notifications.ts'
import { previewCounts } from '#domain/alerts/preview-counts.ts'
import { previewRule } from '#domain/alerts/preview-rule.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import type { IncidentMessage } from '#domain/alerts/stored-message.ts'
import { titleMessages } from '#domain/alerts/title-messages.ts'
import { findUnknownKeys } from '#domain/alerts/unknown-keys.ts'
import { listFailedUploads, listReleaseBundles, measureArtifacts } from '#domain/artifacts/list-uploads.ts'
import { listAudit, listAuditSubjects, readAuditLog } from '#domain/audit/list-audit.ts'
import { verifyViewedChain } from '#domain/audit/verify-audit.ts'
import { findChannel, listChannels, listDeliveries, listPendingMessages } from '#domain/channels/list-channels.ts'
import { readDeliveryLog } from '#domain/channels/read-delivery-log.ts'
import { findBestEvent, findCachedEvent, findEvent, findIssueOfEvent } from '#domain/events/find-event.ts'
import { expectLinkedEvent, findLinkedEvent } from '#domain/events/find-linked-event.ts'
import { findShownEvent } from '#domain/events/find-shown-event.ts'
import { listAttachments, listCachedAttachments } from '#domain/events/list-attachments.ts'
import { isEnvironmentKnown, listEnvironments } from '#domain/events/list-environments.ts'
import { listIssueEvents } from '#domain/events/list-issue-events.ts'
import { countActivity, listRollout } from '#domain/events/list-rollout.ts'
import { readNewestEvents } from '#domain/events/newest-events.ts'
import { pickEvent, pickOldest } from '#domain/events/pick-event.ts'
import { findRecommended } from '#domain/events/recommended-event.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { readMapSituation } from '#domain/events/stacks/advise-frame.ts'
import { readStacks } from '#domain/events/stacks/read-stacks.ts'
import { countOverTime } from '#domain/explore/count-over-time.ts'
import { explore } from '#domain/explore/explore.ts'
import { listAttributes } from '#domain/explore/list-attributes.ts'
import { measureWindows } from '#domain/explore/measure-windows.ts'
import { findRelatedError, findReportReplay, hasFeedback, listSimilar } from '#domain/feedback/find-related.ts'
import { countUnreadFeedback, listFeedback } from '#domain/feedback/list-feedback.ts'
import { findPictured, listReports } from '#domain/feedback/list-reports.ts'
import { countFiltered, listFilteredExamples, listFilters } from '#domain/filters/filters.ts'
import { previewFilter } from '#domain/filters/preview-filter.ts'
import { compareRelease } from '#domain/findings/release/compare-release.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { countIssuePeriods } from '#domain/issues/count-issue-periods.ts'
import { countIssueViews } from '#domain/issues/count-issue-views.ts'
import { countTags } from '#domain/issues/count-tags.ts'
import { findGroupLooks } from '#domain/issues/find-group-look.ts'
import {
  findIssue,
  findIssueByShortId,
  findIssueState,
  findLatestIssue,
  findMergeTarget,
  findSurvivingIssue,
  listSurvivingIds,
} from '#domain/issues/find-issue.ts'
import { findNamedIssues } from '#domain/issues/find-named-issues.ts'
import { listIssueSummaries } from '#domain/issues/issue-totals.ts'
import { readSearchContext } from '#domain/issues/list/issue-conditions.ts'
import { readIssueRows } from '#domain/issues/list/read-issue-rows.ts'
import {
  listIssueActivity,
  listIssueFeedback,
  listIssueGroups,
  listIssuesOfChange,
} from '#domain/issues/list-issue-activity.ts'
import { listIssueTickets } from '#domain/issues/list-issue-tickets.ts'
import { listIssues, listMatchingIds } from '#domain/issues/list-issues.ts'
import { listLinkedIssues } from '#domain/issues/list-linked-issues.ts'
import {
  listAssignees,
  listSearchAssignees,
  listSearchProjects,
  listSearchValues,
  listTagKeys,
  listTagNames,
} from '#domain/issues/list-search-values.ts'
import { listTagShares } from '#domain/issues/list-tag-shares.ts'
import { resolveIssueIds } from '#domain/issues/resolve-issue-ids.ts'
import { searchIssueTitles } from '#domain/issues/search-titles.ts'
import { findUsualShares, knownUsualShares } from '#domain/issues/usual-shares.ts'
import { countLogs } from '#domain/logs/count-logs.ts'
import { readLogExport } from '#domain/logs/export-logs.ts'
import { findLog, listContext, listEventLines, listLineErrors, listTraceLines } from '#domain/logs/find-log.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import { findLastDeploy } from '#domain/logs/patterns/find-last-deploy.ts'
import { listPatterns } from '#domain/logs/patterns/list-patterns.ts'
import { findNewestLine, listPatternIssues } from '#domain/logs/patterns/pattern-issue.ts'
import { readBatches } from '#domain/logs/tail/read-batches.ts'
import { listInvitations } from '#domain/members/invite-member.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listMentionable, suggestMentions } from '#domain/members/list-mentionable.ts'
import { listTeams } from '#domain/members/teams.ts'
import { findErasure, listErasures } from '#domain/privacy/erasures.ts'
import { previewScrubRule } from '#domain/privacy/preview-rule.ts'
import { listScrubRules } from '#domain/privacy/scrub-rules.ts'
import { findSpanProfile } from '#domain/profiles/find-profile.ts'
import { listProfiles } from '#domain/profiles/list-profiles.ts'
import { listDeletedProjects } from '#domain/projects/list-deleted-projects.ts'
import { listOutcomes } from '#domain/projects/list-outcomes.ts'
import { countProjectItems, findProject, getOrganization, listProjects } from '#domain/projects/list-projects.ts'
import { listProjectAudience, listProjectTeams } from '#domain/projects/project-access.ts'
import { listProjectKeys } from '#domain/projects/project-keys.ts'
import { countReleaseActivity } from '#domain/releases/count-release-activity.ts'
import { listRecentReleases } from '#domain/releases/list-recent-releases.ts'
import { listReleaseCommits, listReleaseDeploys } from '#domain/releases/list-release-commits.ts'
import { findLastEvents, findLastSeenIn, listReleaseIssues } from '#domain/releases/list-release-issues.ts'
import { listReleaseMarks } from '#domain/releases/list-release-marks.ts'
import { listReleaseStarts } from '#domain/releases/list-release-starts.ts'
import {
  findPreviousCommit,
  findRelease,
  findReleaseNeighbors,
  findShortVersion,
  listLaterReleases,
  listReleases,
} from '#domain/releases/list-releases.ts'
import { findNewestVersions } from '#domain/releases/newest-versions.ts'
import { readReleases } from '#domain/releases/read-releases.ts'
import {
  countAdoption,
  countNewIssues,
  countReleaseEvents,
  countReleaseFacts,
  newInReleases,
} from '#domain/releases/release-counts.ts'
import { findEventReplay } from '#domain/replays/find-event-replay.ts'
import { findReplay, listSegments, locateReplay } from '#domain/replays/find-replay.ts'
import { listJourney } from '#domain/replays/list-journey.ts'
import { listMoments } from '#domain/replays/list-moments.ts'
import { listReplayErrors } from '#domain/replays/list-replay-errors.ts'
import { listReplayLogs } from '#domain/replays/list-replay-logs.ts'
import { countReplays, listReplays } from '#domain/replays/list-replays.ts'
import { listServerRequests } from '#domain/replays/list-server-requests.ts'
import { readSummaries } from '#domain/replays/read-summaries.ts'
import { resolveIssues } from '#domain/replays/resolve-issues.ts'
import { countCutSums } from '#domain/routes/count-cut-sums.ts'
import { findFullProjects } from '#domain/routes/find-full-projects.ts'
import { findRoute, findRouteProfile, readRoute } from '#domain/routes/find-route.ts'
import { listPaths } from '#domain/routes/list-paths.ts'
import { listRouteFunctions } from '#domain/routes/list-route-functions.ts'
import { listRoutes, readRoutes } from '#domain/routes/list-routes.ts'
import { countRouteErrors, measureRoute } from '#domain/routes/measure-route.ts'
import { listLongFrames, listServerActions, listServerWork } from '#domain/routes/route-spans.ts'
import { searchRoutes } from '#domain/routes/search-routes.ts'
import { findTwoFactorStart } from '#domain/sign-in/second-factor.ts'
import { countCreatedTokens, listAuthTokens } from '#domain/tokens/list-auth-tokens.ts'
import { findSpan, findTraceSpan } from '#domain/traces/find-span.ts'
import { findSpanPosition } from '#domain/traces/find-span-position.ts'
import { countTrace, findTrace } from '#domain/traces/find-trace.ts'
import { findIssuesOfGroups, listErrors } from '#domain/traces/list-errors.ts'
import { listTraceSpans } from '#domain/traces/list-trace-spans.ts'
import { listTraces } from '#domain/traces/list-traces.ts'
import { measureSpans } from '#domain/traces/measure-spans.ts'
import { findUsualDuration, readSegmentFacts } from '#domain/traces/read-segment-facts.ts'
import { readTraceSpans } from '#domain/traces/read-trace-spans.ts'
import { exploreTraceErrors, listCachedTraceErrors, listTraceErrors } from '#domain/traces/trace-errors.ts'
import { countTraceLogs, listLooseLogs, listTraceMarks } from '#domain/traces/trace-logs.ts'
import { listDefaultViews, listSavedViews } from '#domain/views/saved-views.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import { channelId, erasureId, type Other, projectId, userId } from './other-organization.ts'

const dayMs = 86_400_000
const rangeMs = 90 * dayMs
const search = (text: string) => parseSearch(text).terms
const symbolicator = { resolve: async () => [], close: async () => undefined }

type Read = (viewer: Viewer) => unknown

export function readsOf(other: Other): Record<string, Read> {
  const {
    issue,
    report,
    feedbackIssue,
    event,
    release,
    traceId,
    logTraceId,
    span,
    route,
    workRoute,
    now,
    file,
    laterVersion,
    replay,
  } = other
  const { version } = release
  const range = { from: now - rangeMs, to: now }
  const metric = metricSchema.parse({ dataset: 'errors', measure: 'count()', windowMs: 3_600_000, critical: 1 })
  const incident: ListedIncident = {
    ...{ id: 97, name: 'Secret', severity: 'critical', openedAt: event.timestamp, closedAt: now, peak: 1, reason: '' },
    ...{ projectSlug: 'app', projectId: null, ruleId: 96, acknowledgedAt: null, acknowledgedBy: '' },
    closedBy: `user:${userId}`,
    metric,
  }
  const incidentMessage: IncidentMessage = {
    ...{ kind: 'incident', type: 'incident.opened', incidentId: 97, projectId: null, ruleId: 96, at: now },
    ...{ severity: 'critical', reason: '' },
  }
  const routes = { rangeMs: 2 * dayMs, projectIds: [projectId] }
  const spans = { terms: [], rangeMs, sort: 'newest' as const, projectIds: [projectId] }
  const issues = { terms: [], rangeMs, sort: 'lastSeen' as const, projectIds: [projectId] }
  const replays = { terms: [], rangeMs, sort: 'newest' as const, projectIds: [projectId] }
  const page = { limit: 10, offset: 0 }
  return {
    listFailedUploads: v => listFailedUploads(v, version),
    listReleaseMarks: v => listReleaseMarks(v, projectId, range),
    listReleaseBundles: v => listReleaseBundles(v, version),
    measureArtifacts: v => measureArtifacts(v),
    findEvent: v => findEvent(v, issue, event.event_id),
    findBestEvent: v => findBestEvent(v, issue, { by: 'rank', filter: {} }),
    findCachedEvent: v => findCachedEvent(v, issue, event.event_id, event.timestamp),
    findSpanProfile: v => findSpanProfile(v, { blobs: {} as Blobs, symbolicator }, { traceId, spanId: span.id }),
    listProfiles: async v => [await listProfiles(v, spans), await listProfiles(v, { ...spans, projectIds: undefined })],
    listSavedViews: v => listSavedViews(v, 'issues'),
    listDefaultViews,
    findRelatedError: v => findRelatedError(v, report),
    findReportReplay: v => findReportReplay(v, report),
    hasFeedback: v => hasFeedback(v, projectId),
    listSimilar: v =>
      listSimilar(v, { ...feedbackIssue, id: 1 }, { issue, eventId: event.event_id, beforeMs: 0, isNamed: true }),
    countUnreadFeedback,
    listFeedback: v => listFeedback(v, { terms: [], rangeMs, view: 'inbox', page: 1 }),
    listReports: v => listReports(v, [feedbackIssue], { perGroup: 1, limit: 1 }),
    findPictured: v => findPictured(v, [report]).then(found => [...found]),
    findIssueOfEvent: async v => [
      await findIssueOfEvent(v, event.event_id),
      await findIssueOfEvent(v, event.event_id, projectId),
    ],
    expectLinkedEvent: v =>
      expectLinkedEvent(v, issue, { of: { ...event, received_at: 0 }, isOnServer: true, filter: {} }),
    findLinkedEvent: v => findLinkedEvent(v, issue, { of: { ...event, event_id: '' }, isOnServer: true, filter: {} }),
    findShownEvent: v => findShownEvent(v, issue, { kind: 'latest' }, { within: 'issue' }),
    listAttachments: v => listAttachments(v, issue, event.event_id),
    listCachedAttachments: v => listCachedAttachments(v, issue, event),
    listEnvironments: v => listEnvironments(v),
    isEnvironmentKnown: v => isEnvironmentKnown(v, 'production'),
    listRollout: v => listRollout(v, issue, version),
    countActivity: v => countActivity(v, { projectId, ...range, stepMs: dayMs }, version),
    listIssueEvents: v => listIssueEvents(v, issue, { filter: {}, sort: 'newest' }),
    readNewestEvents: v => readNewestEvents(v, issue, {}),
    pickEvent: v => pickEvent(v, issue, event.event_id, {}),
    pickOldest: v => pickOldest(v, issue, {}),
    findRecommended: v => findRecommended(v, issue, {}),
    readMapSituation: v => readMapSituation(v, { projectId, file, debugId: '', release: version, dist: '' }),
    readStacks: v => readStacks(v, symbolicator, { projectId, data: minifiedEvent(version, file) }),
    measureWindows: async v => {
      const ask = (projectIds?: number[]) =>
        measureWindows(
          v,
          { dataset: 'errors', query: '', measure: 'count()' },
          { first: now, last: now, stepMs: 60_000, windowMs: rangeMs },
          { projectIds },
        )
      return [await ask(), await ask([projectId])]
    },
    countOverTime: v =>
      countOverTime(
        v,
        { dataset: 'errors', query: '', measures: ['count()'], groups: ['issue'], topGroups: 3, stepMs: dayMs },
        { ...range, projectIds: [projectId] },
      ),
    explore: async v => [
      await explore(v, { dataset: 'errors', fields: ['issue', 'title'], query: '', sort: [] }, range, page),
      await explore(
        v,
        { dataset: 'spans', fields: ['span.op', 'count()'], query: '', sort: [] },
        { ...range, projectIds: [projectId] },
        page,
      ),
    ],
    listAttributes: v => listAttributes(v, 'spans', { ...range, projectIds: [projectId] }, ''),
    countFiltered: v => countFiltered(v, projectId, 60),
    listFilteredExamples: v => listFilteredExamples(v, projectId),
    listFilters: v => listFilters(v, projectId),
    previewFilter: v => previewFilter(v, { projectId, rule: 'resize-observer', days: 60 }),
    findIssue: v => findIssue(v, issue.id),
    findIssueByShortId: v => findIssueByShortId(v, issue.shortId),
    findNamedIssues: v => findNamedIssues(v, [issue.shortId]),
    findIssueState: v => findIssueState(v, issue),
    findLatestIssue: v => findLatestIssue(v, projectId),
    findMergeTarget: v => findMergeTarget(v, [issue.id]),
    findSurvivingIssue: v => findSurvivingIssue(v, 79),
    listSurvivingIds: v => listSurvivingIds(v, [79]),
    countIssue: v => countIssue(v, issue, {}),
    countIssueViews: v => countIssueViews(v, { projectIds: [projectId], rangeMs }),
    readSearchContext: v => readSearchContext(v, search('assigned:bob@example.com assigned:#core')),
    readIssueRows: v => readIssueRows(v, [issue.id]),
    listIssueActivity: v => listIssueActivity(v, issue),
    listIssuesOfChange: v => listIssuesOfChange(v, 'a change'),
    listIssueFeedback: v => listIssueFeedback(v, issue, page),
    listIssueTickets: v => listIssueTickets(v, issue),
    listIssueGroups: v => listIssueGroups(v, issue),
    findGroupLooks: v => findGroupLooks(v, issue, issue.hashes),
    listIssueSummaries: v => listIssueSummaries(v, [issue.id]),
    listIssues: async v => [
      await listIssues(v, issues),
      await listIssues(v, { ...issues, projectIds: undefined, sort: 'users' }),
      await listIssues(v, { ...issues, environment: event.environment }),
    ],
    listMatchingIds: v => listMatchingIds(v, issues, 10),
    searchIssueTitles: v => searchIssueTitles(v, issue.title, 10),
    listLinkedIssues: v => listLinkedIssues(v, issue, { isOnServer: true }),
    listAssignees: v => listAssignees(v),
    listSearchAssignees: v => listSearchAssignees(v, ''),
    listSearchProjects: async v => listSearchProjects(v, ''),
    listSearchValues: async v => [
      await listSearchValues(v, { of: 'issues', key: 'release', prefix: '' }),
      await listSearchValues(v, { of: 'spans', key: 'op', prefix: '' }),
    ],
    listTagKeys: v => listTagKeys(v, 'spans', ''),
    listTagNames: v => listTagNames(v, 'spans', { projectIds: [projectId], rangeMs }),
    countTags: v => countTags(v, issue),
    listTagShares: v => listTagShares(v, issue, {}),
    findUsualShares: v => findUsualShares(v, projectId),
    knownUsualShares: v => knownUsualShares(v, projectId),
    countIssuePeriods: v => countIssuePeriods(v, issue, { table: 'hash_day', column: 'day', since: 0 }),
    listMembers: v => listMembers(v),
    listMentionable: v => listMentionable(v),
    suggestMentions: v => suggestMentions(v, ''),
    listTeams: v => listTeams(v),
    listProjectTeams: v => listProjectTeams(v, projectId),
    listProjectAudience: v => listProjectAudience(v, projectId),
    listAudit: v => listAudit(v, { text: '', subject: '', from: 0 }),
    listAuditSubjects: v => listAuditSubjects(v),
    readAuditLog: v => readAuditLog(v).next(),
    readDeliveryLog: v => readDeliveryLog(v).next(),
    verifyViewedChain: v => verifyViewedChain(v),
    listInvitations: v => listInvitations(v),
    countCreatedTokens: v => countCreatedTokens(v),
    findTwoFactorStart: v => findTwoFactorStart(v),
    listOutcomes: async v => [await listOutcomes(v, { since: 0 }), await listOutcomes(v, { since: 0, projectId })],
    countProjectItems: v => countProjectItems(v, { projectId, since: 0 }),
    findProject: v => findProject(v, 'app'),
    getOrganization: v => getOrganization(v),
    listDeletedProjects: v => listDeletedProjects(v),
    listChannels: v => listChannels(v),
    findChannel: v => findChannel(v, channelId),
    listDeliveries: v => listDeliveries(v),
    listPendingMessages: v => listPendingMessages(v, channelId),
    listProjects: v => listProjects(v),
    listProjectKeys: async v => [await listProjectKeys(v), await listProjectKeys(v, projectId)],
    listReleaseCommits: v => listReleaseCommits(v, release),
    listReleaseDeploys: v => listReleaseDeploys(v, release),
    findLastEvents: v => findLastEvents(v, [release]),
    listReleaseStarts: v => listReleaseStarts(v, { projectId, since: 0, environments: new Set([event.environment]) }),
    countReleaseActivity: v => countReleaseActivity(v, release),
    compareRelease: v => compareRelease(v, { ...release, firstSeen: now - rangeMs }, null),
    listReleaseIssues: v => listReleaseIssues(v, version),
    findLastSeenIn: v => findLastSeenIn(v, version, { issueIds: [issue.id], since: 0 }),
    findPreviousCommit: v => findPreviousCommit(v, version),
    findNewestVersions: async v => [...(await findNewestVersions(v)), ...(await findNewestVersions(v, [projectId]))],
    resolveTerms: v => resolveTerms(v, search('release:latest OR project:app'), [projectId]),
    resolveIssueIds: v => resolveIssueIds(v, search(`issue.id:${issue.id}`)),
    findRelease: v => findRelease(v, version),
    findReleaseNeighbors: v => findReleaseNeighbors(v, { ...release, version: laterVersion }),
    findShortVersion: v => findShortVersion(v, '99.0.0'),
    listLaterReleases: v => listLaterReleases(v, { projectId, release: version, ...range }),
    listReleases: async v => [
      await listReleases(v, { sort: 'date', offset: 0 }),
      await listReleases(v, {
        projectIds: [projectId],
        sort: 'version',
        offset: 0,
        counted: { rangeMs: 90 * dayMs },
      }),
    ],
    readReleases: v => readReleases(v, { projectIds: [projectId] }),
    countAdoption: v => countAdoption(v, [release]),
    countReleaseEvents: v => countReleaseEvents(v, release),
    countNewIssues: v => countNewIssues(v, [release], { rangeMs: 90 * dayMs, environment: event.environment }),
    countReleaseFacts: v => countReleaseFacts(v, [release]),
    newInReleases: v => newInReleases(v, [version]).select('issue_id').execute(),
    countCutSums: v => countCutSums(v, { ...routes, to: v.now - 1_234 }, route),
    findRoute: v => findRoute(v, routes, route),
    findRouteProfile: v => findRouteProfile(v, routes, route),
    readRoute: v => readRoute(v, routes, route),
    searchRoutes: v => searchRoutes(v, route, 10),
    listRouteFunctions: v => listRouteFunctions(v, symbolicator, routes, route),
    listRoutes: v => listRoutes(v, { ...routes, projectIds: undefined }),
    readRoutes: v => readRoutes(v, routes),
    countRouteErrors: v => countRouteErrors(v, routes),
    measureRoute: v => measureRoute(v, routes, '/action', 'lcp'),
    listLongFrames: v => listLongFrames(v, routes, '/action'),
    listPaths: v => listPaths(v, routes, 'not-found'),
    findFullProjects: v => findFullProjects(v),
    listIncidents: v => listIncidents(v),
    findIncident: v => findIncident(v, 97),
    listIncidentUpdates: v => listIncidentUpdates(v, 97),
    countOpenIncidents: v => countOpenIncidents(v),
    chartIncident: v => chartIncident(v, incident),
    chartRule: v =>
      chartRule(viewerAt(v, event.timestamp + 3_600_000), { metric, projectIds: undefined, environments: [] }),
    findUnknownKeys: async v => {
      const [known] = await listTagNames(v, 'spans', { projectIds: undefined, rangeMs, isWhole: true })
      const query = `${known?.value ?? 'anything'}:any`
      const config = ruleConfig.parse({ metric: { ...metric, dataset: 'spans', query } })
      return (await findUnknownKeys(v, { config, projectId: null })).length
    },
    readLines: async v => (await readLines(v, [incidentMessage]))(incidentMessage),
    titleMessages: async v => [...(await titleMessages(v, [{ id: 'any', message: incidentMessage }]))],
    isStillFailing: v => isStillFailing(v, incident),
    nameActors: async v => (await nameActors(v, [`user:${userId}`]))(`user:${userId}`),
    readIncidentNames: v => readIncidentNames(v, [incidentMessage]),
    listRecentReleases: v => listRecentReleases(v),
    listRules: v => listRules(v),
    findRule: v => findRule(v, 96),
    listRuleChannels: v => listRuleChannels(v),
    previewRule: v => previewRule(v, { config: ruleConfig.parse({ when: ['new-issue'] }), projectId: null }),
    drawPreview: async v =>
      drawPreview(v, await previewRule(v, { config: ruleConfig.parse({ when: ['new-issue'] }), projectId: null }), {
        channelIds: [channelId],
        name: '',
        publicUrl: 'http://localhost',
        mailFrom: 'hydrant@localhost',
      }),
    previewCounts: v =>
      previewCounts(
        v,
        { projectId: null, config: ruleConfig.parse({ counts: [{ of: 'events', above: 0, withinMs: 3_600_000 }] }) },
        range,
      ),
    listNotifications: v => listNotifications(v),
    countUnread: v => countUnread(v),
    listNotificationChoices: v => listNotificationChoices(v),
    listErasures: v => listErasures(v),
    findErasure: v => findErasure(v, erasureId),
    listScrubRules: v => listScrubRules(v),
    previewScrubRule: v =>
      previewScrubRule(v, {
        projectId: null,
        rule: { path: '*', pattern: '', action: 'replace' },
        hashKey: 'k'.repeat(32),
      }),
    listServerActions: v => listServerActions(v, routes, '/action'),
    listServerWork: v => listServerWork(v, routes, workRoute),
    listAuthTokens: v => listAuthTokens(v),
    findSpan: v => findSpan(v, traceId, span.id),
    findTraceSpan: v => findTraceSpan(v, { projectId, traceId, spanId: span.id }, range),
    findSpanPosition: v => findSpanPosition(v, event),
    countTrace: v => countTrace(v, traceId, range),
    findTrace: v => findTrace(v, traceId),
    listTraces: async v => [await listTraces(v, spans), await listTraces(v, { ...spans, projectIds: undefined })],
    listTraceSpans: v => listTraceSpans(v, { traceId, attributes: 'all', limit: 10 }, range),
    measureSpans: v => measureSpans(v, spans),
    findUsualDuration: v => findUsualDuration(v, { op: span.op, name: span.name, at: event.timestamp }),
    readSegmentFacts: v => readSegmentFacts(v, traceId),
    readTraceSpans: v => readTraceSpans(v, traceId),
    exploreTraceErrors: v => exploreTraceErrors(v, traceId, range),
    listCachedTraceErrors: v => listCachedTraceErrors(v, event),
    listTraceErrors: v => listTraceErrors(v, traceId),
    listErrors: v =>
      listErrors(v, { where: '{scope} AND timestamp > fromUnixTimestamp64Milli({from:Int64})', params: range }),
    findIssuesOfGroups: v => findIssuesOfGroups(v, issue.hashes),
    findEventReplay: v =>
      findEventReplay(v, { data: '{}', tags: { replayId: replay.replayId }, timestamp: now, title: '' }),
    findReplay: v => findReplay(v, replay.replayId),
    locateReplay: v => locateReplay(v, replay.replayId),
    listSegments: v => listSegments(v, replay),
    listMoments: v => listMoments(v, replay),
    listJourney: v => listJourney(v, replay),
    listReplayLogs: v => listReplayLogs(v, replay),
    listReplayErrors: v => listReplayErrors(v, replay),
    listServerRequests: v => listServerRequests(v, replay),
    listReplays: async v => [
      await listReplays(v, replays),
      await listReplays(v, { ...replays, projectIds: undefined }),
    ],
    countReplays: v => countReplays(v, replays),
    readSummaries: v => readSummaries(v, [{ replay: replay.replayId, project: projectId, at: replay.startedAt }]),
    resolveIssues: v => resolveIssues(v, search('issue:APP-7')),
    countTraceLogs: v => countTraceLogs(v, logTraceId),
    listTraceMarks: v => listTraceMarks(v, logTraceId),
    listPatterns: v => listPatterns(v, { terms: [], rangeMs }, null),
    listPatternIssues: v => listPatternIssues(v, [other.line.pattern]),
    findNewestLine: v => findNewestLine(v, [other.line.pattern]),
    findLastDeploy: v => findLastDeploy(v, { projectIds: [projectId] }),
    listLogs: v => listLogs(v, { terms: [], rangeMs, projectIds: [projectId] }),
    countLogs: v => countLogs(v, { terms: [], rangeMs }),
    readBatches: v =>
      readBatches(v, { terms: [] }, { inboxId: 'other', after: 0, upTo: 9, since: now }, { columns: [], limit: 5 }),
    readLogExport: v => readLogExport(v, { terms: [], rangeMs }).next(),
    findLog: v => findLog(v, other.line),
    listContext: v =>
      listContext(v, { ...other.line, projectId, sequence: 0, serverName: '', traceId: '' }, 'project', 5),
    listLineErrors: v => listLineErrors(v, { traceId, atUs: event.timestamp * 1_000 }),
    listEventLines: v => listEventLines(v, { trace_id: logTraceId, timestamp: other.line.atUs / 1_000 }),
    listTraceLines: v => listTraceLines(v, { traceId: logTraceId, at: other.line.atUs / 1_000, limit: 5 }),
    listLooseLogs: v => listLooseLogs(v, logTraceId),
  }
}

/** An event that only a source map makes readable. */
const minifiedEvent = (release: string, file: string): string =>
  JSON.stringify({
    release,
    platform: 'javascript',
    exception: {
      values: [
        {
          type: 'Error',
          stacktrace: {
            frames: [
              { abs_path: `https://x.example/${file}`, filename: `/${file}`, lineno: 1, colno: 90_000, in_app: true },
            ],
          },
        },
      ],
    },
  })
