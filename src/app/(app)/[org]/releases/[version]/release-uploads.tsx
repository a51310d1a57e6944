import type { FailedUpload, ReleaseBundle } from '#domain/artifacts/list-uploads.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
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
    <DataTable isStacked label="Failed uploads" look="wraps" columns={['Upload', 'Step', 'Reason', numeric('When')]}>
      {uploads.map(upload => (
        <tr {...stacked.row} key={upload.id} id={`upload-${upload.id}`}>
          <td {...stacked.cell} className="mono">
            {upload.checksum.slice(0, 12)}
          </td>
          <td {...stacked.cell} data-label="Step">
            {upload.step}{' '}
            <span className="t3">
              {steps.indexOf(upload.step) + 1} of {steps.length}
            </span>
          </td>
          <td {...stacked.cell} data-label="Reason" className="grows">
            <bdi>{shorten(upload.detail, 500)}</bdi>
          </td>
          <td {...stacked.cell} data-label="When" className="num t2">
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
      isStacked
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
        <tr {...stacked.row} key={`${bundle.id} ${bundle.dist}`} id={`bundle-${bundle.id}`}>
          <td {...stacked.cell} className="mono">
            {bundle.checksum.slice(0, 12)}
          </td>
          <td {...stacked.cell} data-label="Dist" className="mono t2">
            {bundle.dist === '' ? '–' : shorten(bundle.dist, 40)}
          </td>
          <td {...stacked.cell} data-label="Files" className="num">
            {formatWhole(bundle.fileCount)}
          </td>
          <td {...stacked.cell} data-label="Source maps" className={bundle.maps === 0 ? 'num bad' : 'num'}>
            {formatWhole(bundle.maps)}
          </td>
          <td {...stacked.cell} data-label="With debug ID" className="num">
            {formatWhole(bundle.withDebugId)}
          </td>
          <td {...stacked.cell} data-label="Size" className="num">
            {formatBytes(bundle.sizeBytes)}
          </td>
          <td {...stacked.cell} data-label="Uploaded" className="num t2">
            <Ago at={bundle.uploadedAt} now={now} />
          </td>
          <td {...stacked.cell} data-label="Last used" className="num">
            {bundle.lastUsedAt === null ? <span className="meh">never</span> : <Ago at={bundle.lastUsedAt} now={now} />}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
