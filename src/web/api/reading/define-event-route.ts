import { findEventPlace } from '#queries/find-event-place.ts'
import { findIssue, type Issue } from '#queries/find-issue.ts'
import { apiNotFound } from '../api-error.ts'
import { defineProjectRoute, type ProjectCall } from '../define-api-route.ts'

export type EventCall = ProjectCall<unknown> & { issue: Issue; eventId: string }

/** `/api/0/projects/[org]/[project]/events/[event]/…`: the event and the issue that it belongs to, else 404. */
export function defineEventRoute(handle: (call: EventCall) => Promise<Response>) {
  return defineProjectRoute({ needs: 'event:read' }, async call => {
    const eventId = (call.params.event ?? '').replaceAll('-', '').toLowerCase()
    const place = await findEventPlace(call.viewer, eventId, call.project.id)
    const issue = place && (await findIssue(call.viewer, place.issueId))
    return issue ? handle({ ...call, issue, eventId }) : apiNotFound()
  })
}
