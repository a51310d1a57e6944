import { type RouteSummary, viewsOf } from '#queries/route-list/summarise-route.ts'
import { formatCount } from '#ui/format-count.ts'
import { formatDuration } from '#ui/format-duration.ts'
import { formatVital, vitalLooks } from '#ui/route/format-vital.ts'

const vitals = ['lcp', 'inp', 'cls'] as const

export const summaryHeads = (
  <>
    <th className="num">Views</th>
    <th className="num">Server p75</th>
    <th className="num">LCP p75</th>
    <th className="num">INP p75</th>
    <th className="num">CLS p75</th>
    <th className="num">Errors</th>
  </>
)

/** The same numbers for a release and for a kind of device. An arrow says where one is clearly worse or better than before. */
export function SummaryCells({ summary, before }: { summary: RouteSummary; before: RouteSummary | undefined }) {
  const { requests, errors } = summary
  return (
    <>
      <td className="num">{formatCount(Math.round(viewsOf(summary)))}</td>
      <td className="num">
        {requests.p75Ms === null ? '–' : formatDuration(requests.p75Ms * 1e3)}
        <Turn now={requests.p75Ms} before={before?.requests.p75Ms} />
      </td>
      {vitals.map(name => {
        const { p75, verdict } = summary.vitals[name].hard
        return (
          <td key={name} className={`num ${verdict ? vitalLooks[verdict] : 't3'}`}>
            {formatVital(name, p75)}
            <Turn now={p75} before={before?.vitals[name].hard.p75} />
          </td>
        )
      })}
      <td className="num">{formatCount(Math.round(errors))}</td>
    </>
  )
}

/** Sums are exact to 5 %, and a tenth is what people notice. */
const clear = 0.1

function Turn({ now, before }: { now: number | null; before: number | null | undefined }) {
  if (now === null || before === null || before === undefined || before === 0) return null
  const change = now / before - 1
  if (Math.abs(change) < clear) return null
  const words = `${Math.round(Math.abs(change) * 100)} % ${change > 0 ? 'worse' : 'better'} than the release before`
  return (
    <span className={change > 0 ? 'bad' : 't3'} title={words} role="img" aria-label={words}>
      {change > 0 ? ' ↑' : ' ↓'}
    </span>
  )
}
