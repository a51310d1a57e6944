import type { FailedUpload, ReleaseBundle } from '#domain/artifacts/list-uploads.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatBytes } from '#ui/format.ts'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import type { LoadedRelease } from './load-release.ts'

/** The artifact bundles of a release, whether events have used them, and failed uploads. */
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
              {bundles.length} uploaded, latest <Ago at={newest.uploadedAt} now={viewer.now} />
            </>
          ) : undefined
        }
      >
        {newest === undefined ? (
          <p className="t2">
            No source maps were uploaded for this release. Source maps with debug IDs are found anyway, whichever
            release they were uploaded for.
          </p>
        ) : (
          <>
            {release.firstSeen !== null && bundles.every(({ lastUsedAt }) => lastUsedAt === null) ? (
              <Notice kind="warning">
                This release has events, but none of them has used a file from these uploads. If stack traces are still
                minified, open one: each frame says what is missing.
              </Notice>
            ) : null}
            <BundleTable bundles={bundles} now={viewer.now} />
          </>
        )}
      </Section>
      {failedUploads.length === 0 ? null : (
        <Section id="failed-uploads" title="Failed uploads" note="latest attempt of each">
          <FailedUploadTable uploads={failedUploads} now={viewer.now} />
        </Section>
      )}
    </>
  )
}

/** The steps of an upload in order, so that "3 of 5" says how far it got. */
const steps = ['chunks', 'checksum', 'archive', 'manifest', 'store']

function FailedUploadTable({ uploads, now }: { uploads: FailedUpload[]; now: number }) {
  return (
    <DataTable label="Failed uploads" look="wraps" columns={['Upload', 'Step', 'Reason', numeric('When')]}>
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
    </DataTable>
  )
}

function BundleTable({ bundles, now }: { bundles: ReleaseBundle[]; now: number }) {
  return (
    <DataTable
      label="Artifact bundles"
      columns={[
        'Bundle',
        'Dist',
        numeric('Files'),
        numeric('Source maps'),
        numeric('With debug ID'),
        numeric('Size'),
        numeric('Uploaded'),
        numeric('Last used'),
      ]}
    >
      {bundles.map(bundle => (
        <tr key={`${bundle.id} ${bundle.dist}`} id={`bundle-${bundle.id}`}>
          <td className="mono">{bundle.checksum.slice(0, 12)}</td>
          <td className="mono t2">{bundle.dist === '' ? '–' : shorten(bundle.dist, 40)}</td>
          <td className="num">{formatWhole(bundle.fileCount)}</td>
          <td className={bundle.maps === 0 ? 'num bad' : 'num'}>{formatWhole(bundle.maps)}</td>
          <td className="num">{formatWhole(bundle.withDebugId)}</td>
          <td className="num">{formatBytes(bundle.sizeBytes)}</td>
          <td className="num t2">
            <Ago at={bundle.uploadedAt} now={now} />
          </td>
          <td className="num">
            {bundle.lastUsedAt === null ? <span className="meh">never</span> : <Ago at={bundle.lastUsedAt} now={now} />}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
