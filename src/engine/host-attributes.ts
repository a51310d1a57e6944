import type { Stats } from 'node:fs'
import type { FsAttributes } from './emscripten.ts'

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
