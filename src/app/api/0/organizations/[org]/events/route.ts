import { defineApiRoute } from '#api/define-api-route.ts'
import { exploreResponse } from '#api/explore-response.ts'
import { readPage } from '#api/pages.ts'
import { faultResponse, readFilter } from '#api/read-filter.ts'
import { readQuery } from '#api/validate-query.ts'
import { explore } from '#domain/explore/explore.ts'

const defaultLimit = 50

/** Any fields and functions of errors, spans or logs. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, request, search }) => {
  const requested = readPage(search, defaultLimit)
  const page = { ...requested, asOf: requested.asOf ?? viewer.now }
  const filter = readFilter(viewer, search, page.asOf)
  if (filter instanceof Response) return filter
  const query = readQuery(search)
  const found = await explore(viewer, query, filter, page)
  return found.ok ? exploreResponse(request, query.dataset, found, page) : faultResponse(found)
})
