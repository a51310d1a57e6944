import { open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { clipText } from '#lib/text.ts'
import { artifactLimits as limits, type ManifestFile, readManifest } from '#protocol/artifact-manifest.ts'

export type ArchivedFile = ManifestFile & { sizeBytes: number }
type Inspection =
  | { ok: true; files: ArchivedFile[]; release: string; dist: string }
  | { ok: false; step: 'archive' | 'manifest'; detail: string }

/** Checks an uploaded bundle by its declared contents, without unpacking it. */
export async function inspectArchive(path: string): Promise<Inspection> {
  if (!(await hasBundleHeader(path))) return { ok: false, step: 'archive', detail: 'This is not an artifact bundle.' }
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(path, { autoClose: false, strictFileNames: true })
    return await inspect(zip)
  } catch (error) {
    // yauzl throws for anything wrong with the archive, with a readable message.
    return {
      ok: false,
      step: 'archive',
      detail: `The archive can't be read: ${clip(error instanceof Error ? error.message : String(error))}`,
    }
  } finally {
    zip?.close()
  }
}

async function inspect(zip: ZipFile): Promise<Inspection> {
  const entries = await listEntries(zip)
  if (typeof entries === 'string') return { ok: false, step: 'archive', detail: entries }
  const manifestEntry = entries.get('manifest.json')
  if (manifestEntry === undefined) return { ok: false, step: 'manifest', detail: 'The archive has no manifest.json.' }
  if (manifestEntry.uncompressedSize > limits.manifestBytes)
    return { ok: false, step: 'manifest', detail: `manifest.json is larger than ${limits.manifestBytes} bytes.` }
  const manifest = readManifest(await text(await zip.openReadStreamPromise(manifestEntry)))
  if (!manifest.ok) return { ok: false, step: 'manifest', detail: `${manifest.detail}.` }
  const files: ArchivedFile[] = []
  for (const file of manifest.files) {
    const entry = entries.get(file.path)
    const fault =
      entry === undefined ? `manifest.json names ${file.path}, which is not in the archive.` : sizeFault(file, entry)
    if (fault !== null || entry === undefined) return { ok: false, step: 'manifest', detail: clip(fault ?? '') }
    files.push({ ...file, sizeBytes: entry.uncompressedSize })
  }
  return { ok: true, files, release: manifest.release, dist: manifest.dist }
}

/** The entries by name, or an error message. */
async function listEntries(zip: ZipFile): Promise<Map<string, Entry> | string> {
  if (zip.entryCount > limits.files)
    return `The archive has ${zip.entryCount} files. At most ${limits.files} are allowed.`
  const entries = new Map<string, Entry>()
  let unpackedBytes = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    if (entries.has(entry.fileName)) return clip(`The archive contains ${entry.fileName} twice.`)
    if (!entry.canDecodeFileData()) return clip(`${entry.fileName} uses an unsupported compression method.`)
    unpackedBytes += entry.uncompressedSize
    entries.set(entry.fileName, entry)
  }
  if (unpackedBytes > limits.unpackedBytes)
    return `The archive unpacks to ${unpackedBytes} bytes. At most ${limits.unpackedBytes} are allowed.`
  if (unpackedBytes > limits.ratioFromBytes && unpackedBytes > limits.unpackedRatio * zip.fileSize)
    return `The archive unpacks to more than ${limits.unpackedRatio} times its size and was rejected as a zip bomb.`
  return entries
}

function sizeFault({ path, kind }: ManifestFile, { uncompressedSize }: Entry): string | null {
  const maxBytes = kind === 'source_map' ? limits.mapBytes : limits.fileBytes
  if (uncompressedSize <= maxBytes) return null
  const noun = kind === 'source_map' ? 'A source map' : 'A file'
  return `${path} has ${uncompressedSize} bytes. ${noun} can have at most ${maxBytes}: leave it out of the upload, or split the chunk.`
}

/** `SYSB` and a version before the zip, as sentry-cli writes it, or a plain zip. */
async function hasBundleHeader(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(10), 0, 10, 0)
    const begin = buffer.toString('latin1', 0, bytesRead)
    return begin.startsWith('PK') || (begin.startsWith('SYSB') && begin.startsWith('PK', 8))
  } finally {
    await file.close()
  }
}

const clip = (sentence: string): string => (sentence.length > 500 ? `${clipText(sentence, 500)}…` : sentence)
