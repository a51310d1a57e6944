/** Handlers about queries of fields and functions, and about the keys that they may use. */

import { countOverTime } from '#domain/explore/count-over-time.ts'
import { findDataset } from '#domain/explore/datasets.ts'
import { explore } from '#domain/explore/explore.ts'
import { listAttributes } from '#domain/explore/list-attributes.ts'
import { clipText } from '#lib/text.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiError } from '../api-error.ts'
import { readCount, readPage } from '../pages.ts'
import { faultResponse, readFilter } from '../read-filter.ts'
import { exploreResponse, readStep, serializeSeries } from './explore-response.ts'
import { readDataset, readFields, readQuery, validateQuery } from './validate-query.ts'

const defaultRows = 50
const defaultGroups = 5
const maxGroups = 20
const attributeTypes: readonly string[] = ['string', 'number', 'boolean']

/** Any fields and functions of errors, spans or logs. */
export const getExploredRows: ApiHandler = async ({ viewer, request, search }) => {
  const requested = readPage(search, { usual: defaultRows, isKeyed: true })
  if (requested instanceof Response) return requested
  const page = { ...requested, asOf: requested.asOf ?? viewer.now }
  const filter = readFilter(viewer, search, page.asOf)
  if (filter instanceof Response) return filter
  const query = readQuery(search)
  const found = await explore(viewer, query, filter, page)
  return found.ok ? exploreResponse(request, query.dataset, found, page) : faultResponse(found)
}

/** Validates each part of a query; 400 if one is invalid. */
export const getQueryValidity: ApiHandler = async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const result = validateQuery(readQuery(search), viewer.now)
  return Response.json(result, { status: result.valid ? 200 : 400 })
}

/** Functions (`yAxis=`) over time; with `topEvents=`, grouped by `field=`. */
export const getSeries: ApiHandler = async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const measures = search.getAll('yAxis').filter(word => word !== '')
  const topGroups = readCount(search, 'topEvents', { usual: 0, max: maxGroups })
  if (topGroups instanceof Response) return topGroups
  const stepMs = readStep(search.get('interval') ?? '', filter)
  if (stepMs instanceof Response) return stepMs
  const found = await countOverTime(
    viewer,
    {
      dataset: readDataset(search),
      query: search.get('query') ?? '',
      measures: measures.length > 0 ? measures : ['count()'],
      groups: topGroups > 0 ? readFields(search).filter(field => !field.endsWith(')')) : [],
      topGroups: topGroups || defaultGroups,
      stepMs,
    },
    filter,
  )
  return found.ok ? Response.json(serializeSeries(found, filter)) : faultResponse(found)
}

/** The search keys for errors: event fields and tags. */
export const getTagKeys: ApiHandler = async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const attributes = await listAttributes(viewer, 'errors', filter, '')
  return Response.json(attributes.map(({ key }) => ({ key, name: key, totalValues: null, uniqueValues: null })))
}

/** The search keys for spans or logs, with their types. */
export const getAttributes: ApiHandler = async ({ viewer, search }) => {
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const dataset = findDataset(search.get('itemType') || search.get('dataset') || 'spans')
  if ('ok' in dataset) return faultResponse(dataset)
  const wanted = search.getAll('attributeType').filter(type => type !== '')
  const unknown = wanted.find(type => !attributeTypes.includes(type))
  if (unknown !== undefined)
    return apiError(
      400,
      `attributeType takes ${attributeTypes.join(', ')}, not ${JSON.stringify(clipText(unknown, 100))}.`,
    )
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
}
