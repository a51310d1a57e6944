import { formatDuration } from '../format-duration.ts'
import { formatMoment } from '../format-moment.ts'
import { ScrollRegion } from '../scroll-region.tsx'
import type { Measures } from './measures.ts'

/** The charts' figures as text. */
export function MeasureTable({ measures: { steps, from, stepMs } }: { measures: Measures }) {
  return (
    <details className="astable">
      <summary>View as table</summary>
      <ScrollRegion className="tb-scroll" label="Spans over time">
        <table className="tb">
          <thead>
            <tr>
              {['From', 'Spans', 'Failed', 'p50', 'p75', 'p95'].map((head, index) => (
                <th key={head} scope="col" className={index === 0 ? undefined : 'num'}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {steps.map((step, index) =>
              step ? (
                <tr key={index}>
                  <td>{formatMoment(from + index * stepMs)}</td>
                  <td className="num">{step.count.toLocaleString('en-US')}</td>
                  <td className="num">{step.failed.toLocaleString('en-US')}</td>
                  <td className="num">{formatDuration(step.p50Us)}</td>
                  <td className="num">{formatDuration(step.p75Us)}</td>
                  <td className="num">{formatDuration(step.p95Us)}</td>
                </tr>
              ) : null,
            )}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  )
}
