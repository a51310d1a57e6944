/** Puts an upload together once all its parts are there, and answers as the tools expect: what is missing, or how it went. */

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

const patienceMs = 20_000 // a large one goes on while the tool asks again

export async function assembleUpload(context: CommandContext, target: UploadTarget, upload: Upload): Promise<Assembly> {
  if (await linkKnown(context, upload)) return { state: 'ok' }
  const missingChunks = await findMissingChunks(context, upload)
  const isWhole = missingChunks.length === 0 && upload.chunks.length > 0
  if (isWhole && (await claimAttempt(context, upload))) {
    const work = whileClaimed(context, upload, () => assemble(context, target, upload))
    return Promise.race([work, stillAtIt()])
  }
  // Another caller may have put it together since we looked, and taken the parts away.
  if (await linkKnown(context, upload)) return { state: 'ok' }
  return isWhole ? { state: 'assembling' } : { state: 'not_found', missingChunks }
}

function stillAtIt(): Promise<Assembly> {
  const timer = AbortSignal.timeout(patienceMs)
  return new Promise(resolve => timer.addEventListener('abort', () => resolve({ state: 'assembling' }), { once: true }))
}

/** True where the bundle is there already: it is joined to the release and projects of this upload too. */
async function linkKnown(context: CommandContext, upload: Upload): Promise<boolean> {
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
  const refuse = async (detail: string): Promise<Assembly> => {
    await endAttempt(context, upload, { state: 'error', step, detail })
    return { state: 'error', detail: `${detail} (step: ${step})` }
  }
  try {
    if (await linkKnown(context, upload)) {
      await endAttempt(context, upload, { state: 'ok', step: 'store', detail: '' })
      return { state: 'ok' }
    }
    return await withDraft(target, async path => {
      const joined = await joinChunks(context, target, upload, path)
      if (!joined.ok) return refuse('A part of the upload is no longer there. Upload it again.')
      step = 'checksum'
      if (joined.sha1 !== upload.checksum) {
        await removeChunks(context, target, upload)
        return refuse('The parts do not add up to the checksum that was announced. Upload it again.')
      }
      step = 'archive'
      const inspection = await inspectArchive(path)
      if (!inspection.ok) {
        step = inspection.step
        await removeChunks(context, target, upload)
        return refuse(inspection.detail)
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
    target.log.error({ error: String(error), step }, 'an upload could not be put together') // its caller may not wait any more
    await endAttempt(context, upload, {
      state: 'error',
      step,
      detail: 'Hydrant could not finish this. Its log says why.',
    })
    throw error
  }
}

/** A tool may name the release in the manifest only. */
function withManifestRelease(upload: Upload, { release, dist }: { release: string; dist: string }): Upload {
  if (upload.release !== '' || !isReleaseVersion(release)) return upload
  return { ...upload, release, dist: upload.dist || dist }
}
