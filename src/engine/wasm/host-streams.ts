import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import type { EmscriptenFs, FsNode, FsStream, StreamOps } from './emscripten.ts'
import { asErrno, hostAttributes, hostPath } from './host-paths.ts'

const accessModes = [constants.O_RDONLY, constants.O_WRONLY, constants.O_RDWR]
const badFileDescriptor = 8
const invalidArgument = 28

/** The log of deduplication tokens stays open for days, so each write to it is synced immediately. */
const isLog = (stream: FsStream) => stream.node.parent.name === 'deduplication_logs'

export function createHostStreamOps(fs: EmscriptenFs, durability: HostDurability): StreamOps {
  // Duplicated descriptors share a host descriptor, which is closed with the last of them.
  const holders = new Map<number, number>()

  const fdOf = (stream: FsStream): number => {
    if (stream.hostFd === undefined) throw new fs.ErrnoError(badFileDescriptor)
    return stream.hostFd
  }

  return {
    open: stream =>
      asErrno(fs, () => {
        // mknod and setattr have already created or truncated the file; only the access mode is left.
        const fd = openSync(hostPath(stream.node), accessModes[stream.flags & 3] ?? constants.O_RDONLY)
        stream.hostFd = fd
        holders.set(fd, 1)
      }),
    dup: stream => {
      const fd = fdOf(stream)
      holders.set(fd, (holders.get(fd) ?? 0) + 1)
    },
    close: stream =>
      asErrno(fs, () => {
        const fd = fdOf(stream)
        const left = (holders.get(fd) ?? 1) - 1
        if (left > 0) {
          holders.set(fd, left)
          return
        }
        holders.delete(fd)
        try {
          durability.closing(stream.node, fd)
        } finally {
          closeSync(fd)
        }
      }),
    getattr: stream => asErrno(fs, () => hostAttributes(fstatSync(fdOf(stream)))),
    setattr: (stream, change) => {
      if (change.size === undefined) {
        stream.node.node_ops.setattr(stream.node, change)
        return
      }
      const sizeBytes = change.size
      asErrno(fs, () => ftruncateSync(fdOf(stream), sizeBytes))
      durability.written(stream.node)
    },
    read: (stream, heap, offset, length, position) =>
      asErrno(fs, () => readSync(fdOf(stream), new Int8Array(heap.buffer, offset, length), 0, length, position)),
    write: (stream, heap, offset, length, position) =>
      asErrno(fs, () => {
        const fd = fdOf(stream)
        const count = writeSync(fd, new Int8Array(heap.buffer, offset, length), 0, length, position)
        if (isLog(stream)) fdatasyncSync(fd)
        else durability.written(stream.node)
        return count
      }),
    llseek: (stream, offset, whence) => {
      const base = whence === 1 ? stream.position : whence === 2 ? asErrno(fs, () => fstatSync(fdOf(stream)).size) : 0
      if (base + offset < 0) throw new fs.ErrnoError(invalidArgument)
      return base + offset
    },
  }
}

type HostDurability = {
  written(node: FsNode): void
  /** Called while the descriptor is still open, because the file may already be unlinked. */
  closing(node: FsNode, fd: number): void
  removed(node: FsNode): void
  /** Syncs everything under the node, before a rename puts it into place. */
  beforeRename(node: FsNode): void
  /** Syncs the directory entries. */
  directory(node: FsNode): void
}

const fsyncPath = (path: string) => {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

const isBelow = (node: FsNode, ancestor: FsNode): boolean => {
  for (let current = node; ; current = current.parent) {
    if (current === ancestor) return true
    if (current === current.parent) return false
  }
}

/**
 * fsync() does nothing in the WebAssembly build, so the file system syncs where ClickHouse relies on it: a part is written
 * into a folder named tmp… and becomes visible when that folder is renamed. Any other file is synced when it is closed.
 */
export function createHostDurability(): HostDurability {
  const dirty = new Set<FsNode>()
  const sync = (node: FsNode) => {
    if (dirty.delete(node)) fsyncPath(hostPath(node))
  }
  return {
    written: node => dirty.add(node),
    closing: (node, fd) => {
      if (!node.parent.name.startsWith('tmp') && dirty.delete(node)) fsyncSync(fd)
    },
    removed: node => dirty.delete(node),
    beforeRename: node => {
      for (const file of [...dirty]) if (isBelow(file, node)) sync(file)
    },
    directory: node => fsyncPath(hostPath(node)),
  }
}
