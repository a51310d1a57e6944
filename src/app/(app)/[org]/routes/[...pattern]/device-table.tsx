import { ScrollRegion } from '#ui/scroll-region.tsx'
import { Section } from '#ui/section.tsx'
import type { RouteView } from './route-screen.tsx'
import { SummaryCells, summaryHeads } from './summary-cells.tsx'

const words: Record<string, string> = { desktop: 'Desktop', mobile: 'Phone', tablet: 'Tablet' }

export function DeviceTable({ route }: RouteView) {
  if (route.devices.length === 0) return null
  return (
    <Section title="By device">
      <ScrollRegion label="By device" className="tb-scroll">
        <table className="tb">
          <thead>
            <tr>
              <th>Device</th>
              {summaryHeads}
            </tr>
          </thead>
          <tbody>
            {route.devices.map(({ device, summary }) => (
              <tr key={device}>
                <td>{words[device] ?? device}</td>
                <SummaryCells summary={summary} before={undefined} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  )
}
