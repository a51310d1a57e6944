import { findDataset } from '#queries/explore/datasets.ts'
import { listAttributes } from '#queries/explore/list-attributes.ts'
import { defineApiRoute } from '#web/api/define-api-route.ts'
import { faultAnswer } from '#web/api/reading/fault-answer.ts'
import { readFilter } from '#web/api/reading/read-filter.ts'

/** What spans or logs can be searched by, with the type of each. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const dataset = findDataset(search.get('itemType') || search.get('dataset') || 'spans')
  if ('ok' in dataset) return faultAnswer(dataset)
  const wanted = search.getAll('attributeType')
  const attributes = await listAttributes(viewer, dataset.name, filter, search.get('substringMatch') ?? '')
  return Response.json(
    attributes
      .filter(({ type }) => wanted.length === 0 || wanted.includes(type))
      .map(({ key, type, isOwn }) => ({
        key,
        name: key,
        attributeType: type,
        attributeSource: { source_type: isOwn ? 'user' : 'sentry' },
      })),
  )
})
