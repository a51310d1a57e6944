import { formatMoment } from '../format-moment.ts'
import { Link } from '../link.tsx'
import { ScrollRegion } from '../scroll-region.tsx'
import type { Bars } from './event-bars.tsx'
import { spanAddress } from './span-address.ts'

/** The same figures as text, each a link to its span where there is one: for screen readers, for keyboards, and where there is no script. */
export function BarTable({ bars, path, search }: { bars: Bars; path?: string; search: string }) {
  const rows = bars.counts
    .map((count, index) => ({ count, start: bars.from + index * bars.stepMs }))
    .filter(({ count }) => count > 0)
  return (
    <details className="astable">
      <summary>View as table</summary>
      <ScrollRegion className="tb-scroll" label="Events over time">
        <table className="tb">
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col" className="num">
                Events
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ count, start }) => (
              <tr key={start}>
                <td>
                  {path === undefined ? (
                    formatMoment(start)
                  ) : (
                    <Link className="link" href={spanAddress(path, search, start, start + bars.stepMs)}>
                      {formatMoment(start)}
                    </Link>
                  )}
                </td>
                <td className="num">{count.toLocaleString('en-US')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  )
}
