/** Asks what pages ask, so that the engine has done everything once. */
import { countIssueEvents } from '#queries/count-issue-events.ts'
import { findEvent } from '#queries/find-event.ts'
import { findIssue } from '#queries/find-issue.ts'
import { findTwin } from '#queries/find-twin.ts'
import { listAttachments } from '#queries/list-attachments.ts'
import { listEnvironments } from '#queries/list-environments.ts'
import { listIssues } from '#queries/list-issues.ts'
import { listOutcomes } from '#queries/list-outcomes.ts'
import { listRollout } from '#queries/list-rollout.ts'
import { listSearchValues, listTagKeys } from '#queries/list-search-values.ts'
import { listTagShares } from '#queries/list-tag-shares.ts'
import { pickEvent } from '#queries/pick-event.ts'
import { countAdoption } from '#queries/releases/count-adoption.ts'
import { listReleases } from '#queries/releases/list-releases.ts'
import { countRouteErrors } from '#queries/route-list/count-route-errors.ts'
import { findRoute } from '#queries/route-list/find-route.ts'
import { listLongFrames } from '#queries/route-list/list-long-frames.ts'
import { listRoutes } from '#queries/route-list/list-routes.ts'
import { listServerActions } from '#queries/route-list/list-server-actions.ts'
import { listServerWork } from '#queries/route-list/list-server-work.ts'
import { measureRoute } from '#queries/route-list/measure-route.ts'
import { listSpans } from '#queries/span-list/list-spans.ts'
import { measureSpans } from '#queries/span-list/measure-spans.ts'
import { findPlaceInTrace } from '#queries/trace/find-place-in-trace.ts'
import { findSpan } from '#queries/trace/find-span.ts'
import { findTrace } from '#queries/trace/find-trace.ts'
import type { Viewer } from '#queries/viewer.ts'
import { parseSearch } from '#search/parse-search.ts'

const dayMs = 86_400_000
const ranges = [dayMs, 30 * dayMs]
const searches = ['is:unresolved', 'browser.name:Firefox', '!plan:business', 'release:shop@1*', '"undefined"']

/** Pages ask anew within a minute only what they do not remember: repeated questions must be of a later moment. */
export async function rehearse(viewer: Viewer): Promise<void> {
  for (const rangeMs of ranges) {
    for (const query of searches) {
      const { terms } = parseSearch(query)
      await listIssues(viewer, { terms, rangeMs, sort: 'urgency' })
    }
  }
  await rehearseIssue(viewer)
  await rehearseRoutes(viewer)
  await rehearseTraces(viewer)
  await listEnvironments(viewer)
  await listTagKeys(viewer, 'issues', '')
  await listSearchValues(viewer, { of: 'issues', key: 'browser.name', prefix: '' })
  await listSearchValues(viewer, { of: 'spans', key: 'op', prefix: '' })
  await listOutcomes(viewer, { since: viewer.now - dayMs })
  const { releases } = await listReleases(viewer, { sort: 'date', offset: 0 })
  await countAdoption(viewer, releases)
}

async function rehearseIssue(viewer: Viewer): Promise<void> {
  const { issues } = await listIssues(viewer, { terms: [], rangeMs: 30 * dayMs, sort: 'events', limit: 3 })
  for (const { id } of issues) {
    const issue = await findIssue(viewer, id)
    if (!issue) continue
    await countIssueEvents(viewer, issue, {})
    await listTagShares(viewer, issue, {})
    await listRollout(viewer, issue, 'shop@1.0.0')
    for (const kind of ['latest', 'oldest', 'recommended'] as const) {
      const picked = await pickEvent(viewer, issue, { kind }, {})
      if (!picked) continue
      await pickEvent(viewer, issue, { kind: 'id', eventId: picked.eventId }, {})
      const event = await findEvent(viewer, issue, picked.eventId, picked.at)
      await listAttachments(viewer, issue, picked.eventId)
      if (!event) continue
      await findTwin(viewer, issue, { of: event, isOnServer: true })
      await findPlaceInTrace(viewer, event)
    }
  }
}

async function rehearseRoutes(viewer: Viewer): Promise<void> {
  for (const rangeMs of ranges) {
    const [busiest] = await listRoutes(viewer, { rangeMs })
    await countRouteErrors(viewer, { rangeMs })
    if (!busiest) continue
    const { route } = busiest
    await findRoute(viewer, { rangeMs }, route)
    for (const measure of ['lcp', 'request'] as const) await measureRoute(viewer, { rangeMs }, route, measure)
    await listServerWork(viewer, { rangeMs: dayMs }, route)
    await listServerActions(viewer, { rangeMs: dayMs }, route)
    await listLongFrames(viewer, { rangeMs: dayMs }, route)
  }
}

async function rehearseTraces(viewer: Viewer): Promise<void> {
  for (const sort of ['newest', 'slowest'] as const) {
    const filter = { terms: [], rangeMs: dayMs, sort }
    await measureSpans(viewer, filter)
    const { spans } = await listSpans(viewer, filter)
    for (const { traceId, spanId } of spans.slice(0, 2)) {
      await findTrace(viewer, traceId)
      await findSpan(viewer, traceId, spanId)
    }
  }
}
