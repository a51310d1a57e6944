import { defineApiRoute } from '#api/define-api-route.ts'
import { readStep, serializeSeries } from '#api/explore-response.ts'
import { readCount } from '#api/pages.ts'
import { faultResponse, readFilter } from '#api/read-filter.ts'
import { readQuery } from '#api/validate-query.ts'
import { countOverTime } from '#domain/explore/count-over-time.ts'

const defaultGroups = 5
const maxGroups = 20

/** Functions (`yAxis=`) over time; with `topEvents=`, grouped by `field=`. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const { dataset, query, fields } = readQuery(search)
  const measures = search.getAll('yAxis').filter(word => word !== '')
  const topGroups = readCount(search.get('topEvents'), { usual: 0, max: maxGroups })
  const found = await countOverTime(
    viewer,
    {
      dataset,
      query,
      measures: measures.length > 0 ? measures : ['count()'],
      groups: topGroups > 0 ? fields.filter(field => !field.endsWith(')')) : [],
      topGroups: topGroups || defaultGroups,
      stepMs: readStep(search.get('interval'), filter),
    },
    filter,
  )
  return found.ok ? Response.json(serializeSeries(found, filter)) : faultResponse(found)
})
