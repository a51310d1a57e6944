import { Ago } from '#ui/ago.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { Section } from '#ui/section.tsx'
import { shorten } from '#ui/shorten.ts'
import type { LoadedRelease } from './load-release.ts'

/** Where the release went, the latest first. */
export function ReleaseDeploys({ loaded: { deploys, viewer } }: { loaded: LoadedRelease }) {
  if (deploys.length === 0) return null
  const environments = new Set(deploys.map(({ environment }) => environment))
  return (
    <Section id="deploys" title="Deploys" note={`${deploys.length} to ${[...environments].slice(0, 5).join(', ')}`}>
      <ScrollRegion className="tb-scroll" label="Deploys">
        <table className="tb">
          <thead>
            <tr>
              <th scope="col">Environment</th>
              <th scope="col">Name</th>
              <th scope="col">Finished</th>
              <th scope="col" className="num">
                <span className="sr">Ago</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deploys.map(deploy => (
              <tr key={deploy.id} id={`deploy-${deploy.id}`}>
                <td className="strong">{shorten(deploy.environment, 64)}</td>
                <td className="t2">{deploy.name === '' ? '–' : shorten(deploy.name, 80)}</td>
                <td className="t2">{formatMoment(deploy.finishedAt)}</td>
                <td className="num t2">
                  <Ago at={deploy.finishedAt} now={viewer.now} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  )
}
