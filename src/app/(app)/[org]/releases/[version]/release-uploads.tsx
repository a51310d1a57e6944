import { Ago } from '#ui/ago.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/section.tsx'
import { BundleTable } from './bundle-table.tsx'
import { FailedUploadTable } from './failed-upload-table.tsx'
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
