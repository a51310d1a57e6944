import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type BlobRange, type BlobSource, type Blobs, checkBlobDay, checkBlobKey, checkBlobProject } from './blobs.ts'

export function openFolderBlobs(root: string): Blobs {
  const pathOf = (key: string) => join(root, checkBlobKey(key))
  return {
    put: (key, source) => writeBlob(root, pathOf(key), source),
    copy: (from, to) => linkBlob(root, pathOf(from), pathOf(to)),
    read: (key, range) => openBlob(pathOf(key), range),
    size: async key => (await ifPresent(stat(pathOf(key))))?.size ?? null,
    remove: key => rm(pathOf(key), { force: true }),
    removeDay: async (kind, day) => rm(join(root, checkBlobDay(kind, day)), { recursive: true, force: true }),
    removeOfProject: async (kind, day, projectId) =>
      rm(join(root, checkBlobProject(kind, day, projectId)), { recursive: true, force: true }),
    listDays: async (kind, before) => {
      const folder = join(root, checkBlobDay(kind, before), '..')
      return ((await ifPresent(readdir(folder))) ?? []).filter(day => day < before).sort()
    },
  }
}

/** Writes a draft and renames it, so that a reader sees the whole blob or none. */
async function writeBlob(root: string, path: string, source: BlobSource): Promise<void> {
  const folder = dirname(path)
  await makeFolder(root, folder)
  const draft = join(folder, `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await fill(file, source)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await fsyncFolder(folder)
}

/** Creates a hard link, which works even on a full disk. Copies the file where links aren't available. */
async function linkBlob(root: string, from: string, to: string): Promise<void> {
  await makeFolder(root, dirname(to))
  try {
    await link(from, to)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'EEXIST') return
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EMLINK' && code !== 'EXDEV') throw error
    const { size } = await stat(from)
    return writeBlob(root, to, { kind: 'file', path: from, start: 0, end: size })
  }
  await fsyncFolder(dirname(to))
}

async function fill(file: FileHandle, source: BlobSource): Promise<void> {
  if (source.kind === 'bytes') return file.writeFile(source.bytes)
  const { path, start, end } = source
  if (end > start) await file.writeFile(createReadStream(path, { start, end: end - 1 }))
  const { size } = await file.stat()
  if (size !== end - start) throw new Error(`${path} is truncated: ${size} of ${end - start} bytes`)
}

/** Syncs the parents of created folders too, up to the parent of the root. */
async function makeFolder(root: string, folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let path = folder; path.length >= root.length; path = dirname(path)) await fsyncFolder(path)
  await fsyncFolder(dirname(root))
}

async function openBlob(path: string, range: BlobRange | undefined): Promise<Readable | null> {
  const file = await ifPresent(open(path, 'r'))
  return file?.createReadStream(range && { start: range.start, end: range.end - 1 }) ?? null
}

async function ifPresent<Value>(promise: Promise<Value>): Promise<Value | null> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** fsync of a file alone keeps its bytes but may lose its name. */
async function fsyncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
