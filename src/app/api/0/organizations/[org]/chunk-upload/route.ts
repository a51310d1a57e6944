import { defineApiRoute } from '#api/define-api-route.ts'
import { receiveChunks, serializeUploads } from '#api/receive-chunks.ts'

export const GET = defineApiRoute({ needs: 'project:releases' }, async ({ request, viewer }) =>
  Response.json(serializeUploads(request, viewer)),
)

export const POST = defineApiRoute({ needs: { does: ['release.upload'] } }, ({ context, request, viewer }) =>
  receiveChunks(context, viewer.organization.id, request),
)
