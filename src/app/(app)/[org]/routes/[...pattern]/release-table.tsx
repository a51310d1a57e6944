import { formatCount } from '#ui/format-count.ts'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { Section } from '#ui/section.tsx'
import type { RouteView } from './route-screen.tsx'
import { SummaryCells, summaryHeads } from './summary-cells.tsx'

const most = 12

export function ReleaseTable({ route }: RouteView) {
  const named = route.releases.filter(({ release }) => release !== '')
  if (named.length === 0) return null
  const left = named.length - most
  return (
    <Section title="By release" note="the newest first, each against the one before">
      <ScrollRegion label="By release" className="tb-scroll">
        <table className="tb">
          <thead>
            <tr>
              <th>Release</th>
              {summaryHeads}
            </tr>
          </thead>
          <tbody>
            {named.slice(0, most).map(({ release, summary }, index) => (
              <tr key={release}>
                <td className="mono">{release}</td>
                <SummaryCells summary={summary} before={named[index + 1]?.summary} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {left > 0 ? <p className="t3">and {formatCount(left)} older releases</p> : null}
    </Section>
  )
}
