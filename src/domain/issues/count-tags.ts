import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { eventCount } from '#domain/events/event-condition.ts'
import { issueEventScope } from '#domain/events/event-scope.ts'
import { tagColumns } from '#domain/events/read-columns.ts'
import type { Issue } from './find-issue.ts'

const maxKeys = 100
const row = z.object({ key: z.string(), total: z.coerce.number() })

/** The names of an issue's tags, with how many of its events have each, the most frequent first. */
export async function countTags(viewer: Viewer, issue: Issue): Promise<z.output<typeof row>[]> {
  const { source, where, params } = issueEventScope(issue, {}, viewer.now)
  const columns = tagColumns.map(([name, column]) => `if(toString(${column}) = '', '', '${name}')`).join(', ')
  const rows = await viewer.telemetry.within([issue.projectId]).query({
    query: `
      SELECT arrayJoin(arrayConcat([${columns}], arrayMap(name -> toString(name), mapKeys(tags)))) AS key,
        round(${eventCount}) AS total
      FROM ${source} WHERE ${where}
      GROUP BY key HAVING key != '' ORDER BY total DESC, key LIMIT ${maxKeys}`,
    params,
    schema: row,
  })
  return rows
}
