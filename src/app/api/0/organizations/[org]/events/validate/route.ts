import { defineApiRoute } from '#api/define-api-route.ts'
import { readFilter } from '#api/read-filter.ts'
import { readQuery, validateQuery } from '#api/validate-query.ts'

/** Validates each part of a query; 400 if one is invalid. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const result = validateQuery(readQuery(search), viewer.now)
  return Response.json(result, { status: result.valid ? 200 : 400 })
})
