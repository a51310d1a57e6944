import { defineApiRoute } from '#api/define-api-route.ts'
import { readFilter } from '#api/read-filter.ts'
import { listAttributes } from '#domain/explore/list-attributes.ts'

/** The search keys for errors: event fields and tags. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const attributes = await listAttributes(viewer, 'errors', filter, '')
  return Response.json(attributes.map(({ key }) => ({ key, name: key, totalValues: null, uniqueValues: null })))
})
