import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import type { EmscriptenFs, FsStream, StreamOps } from './emscripten.ts'
import { hostAttributes } from './host-attributes.ts'
import type { HostDurability } from './host-durability.ts'
import { asErrno } from './host-error.ts'
import { hostPath } from './host-path.ts'

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
