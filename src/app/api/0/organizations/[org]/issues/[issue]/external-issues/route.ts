import { defineIssueRoute } from '#api/define-issue-route.ts'

/** There are no links to other trackers, but tools request them. */
export const GET = defineIssueRoute({ needs: 'event:read' }, async () => Response.json([]))
