import type { Viewer } from '#domain/access/viewer.ts'
import { findIssueOfEvent } from '#domain/events/find-event.ts'
import { findIssue, findIssueByShortId, findSurvivingIssue, type Issue } from '#domain/issues/find-issue.ts'
import { apiNotFound } from './api-error.ts'
import { type ApiCall, defineApiRoute, defineProjectRoute, type ProjectCall } from './define-api-route.ts'

export type IssueCall<Input> = ApiCall<Input> & { issue: Issue }

/** `…/issues/[issue]/…`: finds the issue by id or short id, else 404. */
export function defineIssueRoute<Input = unknown>(
  definition: Parameters<typeof defineApiRoute<Input>>[0],
  handle: (call: IssueCall<Input>) => Promise<Response>,
) {
  return defineApiRoute<Input>(definition, async call => {
    const issue = await findCalledIssue(call.viewer, call.params.issue ?? '')
    return issue ? handle({ ...call, issue }) : apiNotFound()
  })
}

type EventCall = ProjectCall<unknown> & { issue: Issue; eventId: string }

/** `/api/0/projects/[org]/[project]/events/[event]/…`: finds the event and its issue, else 404. */
export function defineEventRoute(handle: (call: EventCall) => Promise<Response>) {
  return defineProjectRoute({ needs: 'event:read' }, async call => {
    const eventId = (call.params.event ?? '').replaceAll('-', '').toLowerCase()
    const found = await findIssueOfEvent(call.viewer, eventId, call.project.id)
    const issue = found && (await findIssue(call.viewer, found.issueId))
    return issue ? handle({ ...call, issue, eventId }) : apiNotFound()
  })
}

/** An issue by id or short id (`WEB-42`), or the one it was merged into; null if the token can't see it. */
export async function findCalledIssue(viewer: Viewer, name: string): Promise<Issue | null> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : await findIssueByShortId(viewer, name)
  return id === null ? null : findSurvivingIssue(viewer, id)
}
