import { defineEventRoute } from '#web/api/reading/define-event-route.ts'
import { answerEvent } from '#web/api/reading/event-answer.ts'

/** An event by its id, whatever issue it belongs to. */
export const GET = defineEventRoute(({ viewer, issue, eventId }) => answerEvent(viewer, issue, eventId))
