import type { CommandContext } from '#domain/access/command-context.ts'
import { inTransaction } from '#domain/access/command-context.ts'
import { isReleaseVersion } from '#protocol/release-version.ts'
import { inspectArchive } from './inspect-archive.ts'
import { findBundle, linkBundle, storeBundle } from './store-bundle.ts'
import { claimAttempt, endAttempt, type Upload, type UploadStep, whileClaimed } from './upload-attempt.ts'
import { findMissingChunks, joinChunks, removeChunks, type UploadTarget, withDraft } from './upload-chunks.ts'

type Assembly =
  | { state: 'not_found'; missingChunks: string[] }
  | { state: 'assembling' }
  | { state: 'ok' }
  | { state: 'error'; detail: string }

const responseTimeoutMs = 20_000 // a large upload continues in the background while sentry-cli polls

/** Assembles an upload once all its chunks are there. Returns what sentry-cli expects: the missing chunks or the state. */
export async function assembleUpload(context: CommandContext, target: UploadTarget, upload: Upload): Promise<Assembly> {
  if (await linkExisting(context, upload)) return { state: 'ok' }
  const missingChunks = await findMissingChunks(context, upload)
  const isComplete = missingChunks.length === 0 && upload.chunks.length > 0
  if (isComplete && (await claimAttempt(context, upload))) {
    const work = whileClaimed(context, upload, () => assemble(context, target, upload))
    return Promise.race([work, assemblingAfterTimeout()])
  }
  // Another request may have assembled it in the meantime and removed the chunks.
  if (await linkExisting(context, upload)) return { state: 'ok' }
  return isComplete ? { state: 'assembling' } : { state: 'not_found', missingChunks }
}

function assemblingAfterTimeout(): Promise<Assembly> {
  const timer = AbortSignal.timeout(responseTimeoutMs)
  return new Promise(resolve => timer.addEventListener('abort', () => resolve({ state: 'assembling' }), { once: true }))
}

/** True if the bundle already exists; it is then linked to the release and projects of this upload. */
async function linkExisting(context: CommandContext, upload: Upload): Promise<boolean> {
  const known = await findBundle(context, upload)
  if (known === null) return false
  await inTransaction(context, async inner => {
    await linkBundle(inner, known, upload)
    return { ok: true }
  })
  return true
}

async function assemble(context: CommandContext, target: UploadTarget, upload: Upload): Promise<Assembly> {
  let step: UploadStep = 'chunks'
  const fail = async (detail: string): Promise<Assembly> => {
    await endAttempt(context, upload, { state: 'error', step, detail })
    return { state: 'error', detail: `${detail} (step: ${step})` }
  }
  try {
    if (await linkExisting(context, upload)) {
      await endAttempt(context, upload, { state: 'ok', step: 'store', detail: '' })
      return { state: 'ok' }
    }
    return await withDraft(target, async path => {
      const joined = await joinChunks(context, target, upload, path)
      if (!joined.ok) return fail('A chunk of the upload is missing. Upload it again.')
      step = 'checksum'
      if (joined.sha1 !== upload.checksum) {
        await removeChunks(context, target, upload)
        return fail('The checksum of the upload does not match. Upload it again.')
      }
      step = 'archive'
      const inspection = await inspectArchive(path)
      if (!inspection.ok) {
        step = inspection.step
        await removeChunks(context, target, upload)
        return fail(inspection.detail)
      }
      step = 'store'
      const day = new Date(context.now()).toISOString().slice(0, 10)
      const blobKey = `artifact-bundle/${day}/${upload.organizationId}/${upload.checksum}`
      await target.blobs.put(blobKey, { kind: 'file', path, start: 0, end: joined.sizeBytes })
      const named = withManifestRelease(upload, inspection)
      await storeBundle(context, named, { blobKey, sizeBytes: joined.sizeBytes, files: inspection.files })
      await removeChunks(context, target, upload)
      return { state: 'ok' }
    })
  } catch (error) {
    target.log.error({ error: String(error), step }, 'upload assembly failed') // the caller may not wait anymore
    await endAttempt(context, upload, {
      state: 'error',
      step,
      detail: 'Hydrant failed to process the upload. See its log for the reason.',
    })
    throw error
  }
}

/** Some tools send the release only in the manifest. */
function withManifestRelease(upload: Upload, { release, dist }: { release: string; dist: string }): Upload {
  if (upload.release !== '' || !isReleaseVersion(release)) return upload
  return { ...upload, release, dist: upload.dist || dist }
}
