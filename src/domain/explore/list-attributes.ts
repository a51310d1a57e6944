import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { quickSettings } from '#domain/events/quick-settings.ts'
import { findDataset } from './datasets.ts'
import type { ExploreFilter } from './explore.ts'
import type { FieldType } from './field.ts'

type AttributeType = 'string' | 'number' | 'boolean'
/** `isOwn`: a tag or attribute of the app, not a field of the dataset. */
type Attribute = { key: string; type: AttributeType; isOwn: boolean }

const row = z.object({ key: z.string(), type: z.enum(['string', 'number']) })
const maxAttributes = 500
const sampledRows = 100_000 // enough to find every name in use

/** The fields of a dataset, and the tags or attributes of its rows. */
export async function listAttributes(
  viewer: Viewer,
  datasetName: string,
  filter: ExploreFilter,
  contains: string,
): Promise<Attribute[]> {
  const dataset = findDataset(datasetName)
  if ('ok' in dataset) return []
  const wanted = contains.toLowerCase()
  const known = Object.entries(dataset.fields)
    .filter(([key]) => !key.includes('['))
    .map(([key, { type }]): Attribute => ({ key, type: shownType(type), isOwn: false }))
  const { from, to } = filter
  const maps = dataset.table === 'events' ? 'tags' : 'attributes, numbers'
  const pairs =
    dataset.table === 'events'
      ? "arrayMap(name -> (toString(name), 'string'), mapKeys(tags))"
      : "arrayConcat(arrayMap(name -> (toString(name), 'string'), mapKeys(attributes)), arrayMap(name -> (toString(name), 'number'), mapKeys(numbers)))"
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT pair.1 AS key, pair.2 AS type FROM (
        SELECT ${maps} FROM ${dataset.table}
        WHERE {scope}
          AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp < fromUnixTimestamp64Milli({to:Int64})
        LIMIT {sampled:UInt32}
      )
      ARRAY JOIN ${pairs} AS pair
      WHERE positionCaseInsensitiveUTF8(pair.1, {contains:String}) > 0
      GROUP BY key, type ORDER BY count() DESC, key, type LIMIT {limit:UInt32}`,
    params: { from, to, sampled: sampledRows, contains, limit: maxAttributes },
    schema: row,
    settings: quickSettings,
  })
  const fields = new Set(known.map(({ key }) => key))
  return [
    ...known.filter(({ key }) => key.toLowerCase().includes(wanted)),
    ...rows.filter(({ key }) => !fields.has(key)).map(each => ({ ...each, isOwn: true })),
  ]
}

const shownType = (type: FieldType): AttributeType =>
  type === 'number' || type === 'duration' ? 'number' : type === 'boolean' ? 'boolean' : 'string'
