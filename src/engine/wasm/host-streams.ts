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

/** The log of deduplication tokens stays open and grows for days: each write to it is made durable at once. */
const isLog = (stream: FsStream) => stream.node.parent.name === 'deduplication_logs'

export function createHostStreamOps(fs: EmscriptenFs, durability: HostDurability): StreamOps {
  // Duplicated descriptors share one of the machine's; it is closed with the last of them.
  const holders = new Map<number, number>()

  const fdOf = (stream: FsStream): number => {
    if (stream.hostFd === undefined) throw new fs.ErrnoError(badFileDescriptor)
    return stream.hostFd
  }

  return {
    open: stream =>
      asErrno(fs, () => {
        // Creation and truncation happened before, in mknod and setattr; what is left is the access mode.
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
  /** Called with a descriptor that is still open: the file may have lost its name by now. */
  closing(node: FsNode, fd: number): void
  forgotten(node: FsNode): void
  /** Makes everything under the node durable; called before a rename puts it into place. */
  beforeRename(node: FsNode): void
  /** Makes the directory entries themselves durable. */
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
 * The WebAssembly build answers fsync() with success and does nothing, so the file system syncs by itself at the
 * moments where ClickHouse relies on it: a part is written into a folder named tmp… and becomes real when that folder is
 * renamed. Whatever is written outside such a folder is made durable when it is closed.
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
    forgotten: node => dirty.delete(node),
    beforeRename: node => {
      for (const file of [...dirty]) if (isBelow(file, node)) sync(file)
    },
    directory: node => fsyncPath(hostPath(node)),
  }
}
