import type { FailedUpload, ReleaseBundle } from '#domain/artifacts/list-uploads.ts'
import { Ago } from '#ui/ago.tsx'
import { formatBytes } from '#ui/format.ts'
import { Notice } from '#ui/notice.tsx'
import { ScrollRegion, Section } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import type { LoadedRelease } from './load-release.ts'

/** What was uploaded for the release, whether any event has needed it, and what went wrong on the way. */
export function ReleaseUploads({ loaded }: { loaded: LoadedRelease }) {
  const { bundles, failedUploads, viewer, release } = loaded
  const newest = bundles[0]
  return (
    <>
      <Section
        id="uploads"
        title="Source maps"
        note={
          newest ? (
            <>
              {bundles.length} uploaded, the last <Ago at={newest.uploadedAt} now={viewer.now} />
            </>
          ) : undefined
        }
      >
        {newest === undefined ? (
          <p className="t2">
            Nothing was uploaded for this release. Maps that carry debug ids are found all the same, whatever release
            they were uploaded for.
          </p>
        ) : (
          <>
            {release.firstSeen !== null && bundles.every(({ lastUsedAt }) => lastUsedAt === null) ? (
              <Notice kind="warning">
                Events came with this release, and none of them has needed a file of these uploads. If their stacks are
                still minified, open one: each frame says what is missing.
              </Notice>
            ) : null}
            <BundleTable bundles={bundles} now={viewer.now} />
          </>
        )}
      </Section>
      {failedUploads.length === 0 ? null : (
        <Section id="failed-uploads" title="Failed uploads" note="the last try of each">
          <FailedUploadTable uploads={failedUploads} now={viewer.now} />
        </Section>
      )}
    </>
  )
}

/** The steps in the order they happen, so that "step 3 of 5" says how far it came. */
const steps = ['chunks', 'checksum', 'archive', 'manifest', 'store']

function FailedUploadTable({ uploads, now }: { uploads: FailedUpload[]; now: number }) {
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

function BundleTable({ bundles, now }: { bundles: ReleaseBundle[]; now: number }) {
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
