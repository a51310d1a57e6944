import type { CutCounts } from '#domain/routes/count-cut-sums.ts'
import { type RouteFilter, routeRange } from '#domain/routes/route-sums.ts'
import { formatMany, formatSpan } from '#ui/format.ts'
import { Notice } from '#ui/notice.tsx'
import { readTimeZone } from '#web/time-zone.ts'

type Props = { now: number; filter: RouteFilter; cut: CutCounts }

/** Says which time is counted if the chosen one begins or ends within five minutes, and by how much that can be more. */
export async function RoundedNote({ now, filter, cut: { views, requests, errors } }: Props) {
  const { zone } = await readTimeZone()
  const kinds = [
    [views, 'view'],
    [requests, 'request'],
    [errors, 'error'],
  ] as const
  const most = kinds.filter(([count]) => Math.round(count) > 0).map(([count, one]) => formatMany(count, one))
  return (
    <div className="rnote">
      <Notice kind="info">
        Routes are counted in steps of five minutes: {formatSpan(routeRange(now, filter), zone)}. Outside of the chosen
        time {most.length === 0 ? 'they hold nothing' : `are at most ${most.join(', ')}`}.
      </Notice>
    </div>
  )
}
