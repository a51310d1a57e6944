import { defineApiRoute } from '#web/api/define-api-route.ts'
import { describeUploads } from '#web/api/describe-uploads.ts'
import { receiveChunks } from '#web/api/receive-chunks.ts'

export const GET = defineApiRoute({ needs: 'project:releases' }, async ({ request, viewer }) =>
  Response.json(describeUploads(request, viewer)),
)

export const POST = defineApiRoute({ needs: { does: ['release.upload'] } }, ({ context, request, viewer }) =>
  receiveChunks(context, viewer.organization.id, request),
)
