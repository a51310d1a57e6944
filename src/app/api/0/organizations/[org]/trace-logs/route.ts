import { apiError } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'
import { exploreResponse } from '#api/explore-response.ts'
import { readPage } from '#api/pages.ts'
import { faultResponse, readFilter } from '#api/read-filter.ts'
import { explore } from '#domain/explore/explore.ts'
import { readUuid } from '#domain/explore/read-value.ts'

const fields = [
  'id',
  'sentry.item_id',
  'project.id',
  'trace',
  'severity_number',
  'severity',
  'timestamp',
  'timestamp_precise',
  'message',
]

/** The log lines of one or more traces. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, request, search }) => {
  const traces = search.getAll('traceId')
  const invalid = traces.find(id => readUuid(id) === null)
  if (traces.length === 0 || invalid !== undefined)
    return apiError(400, `traceId must have 32 hex digits, but is ${JSON.stringify(invalid ?? '')}.`)
  const page = { ...readPage(search), asOf: readPage(search).asOf ?? viewer.now }
  const filter = readFilter(viewer, search, page.asOf)
  if (filter instanceof Response) return filter
  const query = `trace:[${traces.join(',')}] ${search.get('query') ?? ''}`
  const sort = search.getAll('sort').filter(word => word !== '')
  const found = await explore(viewer, { dataset: 'logs', fields, query, sort }, filter, page)
  return found.ok ? exploreResponse(request, 'logs', found, page) : faultResponse(found)
})
