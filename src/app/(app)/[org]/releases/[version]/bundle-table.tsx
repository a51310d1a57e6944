import type { ReleaseBundle } from '#queries/releases/list-release-uploads.ts'
import { Ago } from '#ui/ago.tsx'
import { formatBytes } from '#ui/format-bytes.ts'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { shorten } from '#ui/shorten.ts'

export function BundleTable({ bundles, now }: { bundles: ReleaseBundle[]; now: number }) {
  return (
    <ScrollRegion className="tb-scroll" label="Uploaded bundles">
      <table className="tb">
        <thead>
          <tr>
            <th scope="col">Bundle</th>
            <th scope="col">Dist</th>
            <th scope="col" className="num">
              Files
            </th>
            <th scope="col" className="num">
              Maps
            </th>
            <th scope="col" className="num">
              With debug id
            </th>
            <th scope="col" className="num">
              Size
            </th>
            <th scope="col" className="num">
              Uploaded
            </th>
            <th scope="col" className="num">
              Last needed
            </th>
          </tr>
        </thead>
        <tbody>
          {bundles.map(bundle => (
            <tr key={`${bundle.id} ${bundle.dist}`} id={`bundle-${bundle.id}`}>
              <td className="mono">{bundle.checksum.slice(0, 12)}</td>
              <td className="mono t2">{bundle.dist === '' ? '–' : shorten(bundle.dist, 40)}</td>
              <td className="num">{bundle.fileCount.toLocaleString('en-US')}</td>
              <td className={bundle.maps === 0 ? 'num bad' : 'num'}>{bundle.maps.toLocaleString('en-US')}</td>
              <td className="num">{bundle.withDebugId.toLocaleString('en-US')}</td>
              <td className="num">{formatBytes(bundle.sizeBytes)}</td>
              <td className="num t2">
                <Ago at={bundle.uploadedAt} now={now} />
              </td>
              <td className="num">
                {bundle.lastUsedAt === null ? (
                  <span className="meh">never</span>
                ) : (
                  <Ago at={bundle.lastUsedAt} now={now} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
