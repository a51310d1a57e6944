import { defineApiRoute } from '#api/define-api-route.ts'
import { faultResponse, readFilter } from '#api/read-filter.ts'
import { findDataset } from '#domain/explore/datasets.ts'
import { listAttributes } from '#domain/explore/list-attributes.ts'

/** The search keys for spans or logs, with their types. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const dataset = findDataset(search.get('itemType') || search.get('dataset') || 'spans')
  if ('ok' in dataset) return faultResponse(dataset)
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
