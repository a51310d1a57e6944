import type { FailedUpload } from '#queries/releases/list-release-uploads.ts'
import { Ago } from '#ui/ago.tsx'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { shorten } from '#ui/shorten.ts'

/** The steps in the order they happen, so that "step 3 of 5" says how far it came. */
const steps = ['chunks', 'checksum', 'archive', 'manifest', 'store']

export function FailedUploadTable({ uploads, now }: { uploads: FailedUpload[]; now: number }) {
  return (
    <ScrollRegion className="tb-scroll" label="Failed uploads">
      <table className="tb wraps">
        <thead>
          <tr>
            <th scope="col">Upload</th>
            <th scope="col">Step</th>
            <th scope="col">Why</th>
            <th scope="col" className="num">
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {uploads.map(upload => (
            <tr key={upload.id} id={`upload-${upload.id}`}>
              <td className="mono">{upload.checksum.slice(0, 12)}</td>
              <td>
                {upload.step}{' '}
                <span className="t3">
                  {steps.indexOf(upload.step) + 1} of {steps.length}
                </span>
              </td>
              <td className="grows">
                <bdi>{shorten(upload.detail, 500)}</bdi>
              </td>
              <td className="num t2">
                <Ago at={upload.at} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
