import { defineEventRoute } from '#api/define-issue-route.ts'
import { eventResponse } from '#api/event-response.ts'

/** An event by its id, whatever issue it belongs to. */
export const GET = defineEventRoute(({ viewer, issue, eventId }) => eventResponse(viewer, issue, eventId))
