import { defineIssueRoute } from '#api/define-issue-route.ts'

/** Issues are linked to no other tracker, and tools ask before they say so. */
export const GET = defineIssueRoute({ needs: 'event:read' }, async () => Response.json([]))
