import type { Stats } from 'node:fs'
import { join } from 'node:path'
import type { EmscriptenFs, FsAttributes, FsNode } from './emscripten.ts'

export function hostAttributes(stats: Stats): FsAttributes {
  const { dev, ino, mode, nlink, uid, gid, rdev, size, atime, mtime, ctime } = stats
  return {
    dev,
    ino,
    mode,
    nlink,
    uid,
    gid,
    rdev,
    size,
    atime,
    mtime,
    ctime,
    blksize: 4096,
    blocks: Math.ceil(size / 512),
  }
}

/** Emscripten uses WASI's error numbers, not the host's. */
const errnoByCode: Record<string, number> = {
  EACCES: 2,
  EBADF: 8,
  EBUSY: 10,
  EDQUOT: 19,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENFILE: 41,
  ENOENT: 44,
  ENOSPC: 51,
  ENOTDIR: 54,
  ENOTEMPTY: 55,
  EPERM: 63,
  EROFS: 69,
  EXDEV: 75,
}

function hostErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Runs a host call and turns its error into the errno that the engine expects. */
export function asErrno<T>(fs: EmscriptenFs, call: () => T): T {
  try {
    return call()
  } catch (error) {
    const code = hostErrorCode(error)
    if (code === null) throw error
    throw new fs.ErrnoError(errnoByCode[code] ?? 29)
  }
}

/** The host path of a node of the mounted file system. */
export function hostPath(node: FsNode): string {
  const names: string[] = []
  let current = node
  while (current !== current.parent) {
    names.unshift(current.name)
    current = current.parent
  }
  return join(current.mount.opts.root, ...names)
}
