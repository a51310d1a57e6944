import { z } from 'zod'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { type MirrorRow, mirrorColumns } from './mirror-rows.ts'

const row = z.tuple([
  z.coerce.number(),
  z.string(),
  z.coerce.number(),
  z.coerce.number(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.string(),
  z.coerce.number(),
  z.string(),
  z.string(),
  z.coerce.number(),
])
const perRead = 50_000

/** What an earlier process left in the mirror: what still holds is not written again. */
export async function* readWrittenRows(telemetry: Telemetry): AsyncGenerator<MirrorRow[]> {
  for (let last: MirrorRow | undefined, isFirst = true; isFirst || last; isFirst = false) {
    const rows = await telemetry.query({
      query: `
        SELECT [${mirrorColumns.map(column => `toString(${column})`).join(', ')}] AS fields
        FROM issue_state FINAL
        WHERE is_deleted = 0 AND (project_id, toString(group_hash)) > ({project:UInt64}, {hash:String})
        ORDER BY project_id, group_hash
        LIMIT {limit:UInt32}`,
      params: { project: last?.[0] ?? 0, hash: last?.[1] ?? '', limit: perRead },
      schema: z.object({ fields: row }),
    })
    yield rows.map(({ fields }) => fields)
    last = rows.length === perRead ? rows.at(-1)?.fields : undefined
  }
}
