import { z } from 'zod'

const row = z.object({
  step: z.coerce.number(),
  group: z.string(),
  size: z.coerce.number(),
  measured: z.array(z.coerce.number()),
})
export type StepRow = z.output<typeof row>

/** The rows of the largest groups, the largest first; one empty group where there is nothing at all. */
export function topGroupsOf(rows: readonly unknown[], limit: number): { group: string; rows: StepRow[] }[] {
  const parsed = rows.map(each => row.parse(each))
  if (parsed.length === 0) return [{ group: '', rows: [] }]
  const size = (own: StepRow[]) => own.reduce((sum, each) => sum + each.size, 0)
  return Array.from(
    Map.groupBy(parsed, each => each.group),
    ([group, own]) => ({ group, rows: own }),
  )
    .sort((a, b) => size(b.rows) - size(a.rows) || (a.group < b.group ? -1 : 1))
    .slice(0, limit)
}
