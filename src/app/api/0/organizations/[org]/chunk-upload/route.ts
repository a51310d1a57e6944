import { defineApiRoute } from '#api/define-api-route.ts'
import { describeUploads, receiveChunks } from '#api/receive-chunks.ts'

export const GET = defineApiRoute({ needs: 'project:releases' }, async ({ request, viewer }) =>
  Response.json(describeUploads(request, viewer)),
)

export const POST = defineApiRoute({ needs: { does: ['release.upload'] } }, ({ context, request, viewer }) =>
  receiveChunks(context, viewer.organization.id, request),
)
