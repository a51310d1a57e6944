import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statfsSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { EmscriptenFs, FsNode, FsType, NodeOps, StreamOps } from './emscripten.ts'
import { asErrno, hostAttributes, hostPath } from './host-paths.ts'
import { createHostDurability, createHostStreamOps } from './host-streams.ts'

const directoryStreamOps: StreamOps = {
  // Reading a directory counts entries in the stream's position.
  llseek: (stream, offset, whence) => (whence === 1 ? stream.position + offset : offset),
}

const ownerRwx = 0o700

/** Restores the owner's permissions on a folder that an earlier version left without them; the engine could not start otherwise. */
function repairedMode(path: string): number {
  const stats = lstatSync(path)
  if (!stats.isDirectory() || (stats.mode & ownerRwx) === ownerRwx) return stats.mode
  chmodSync(path, ownerRwx)
  return stats.mode | ownerRwx
}

/** An Emscripten file system on a host folder. Assumes that nothing else writes to the folder. */
export function createHostFileSystem(fs: EmscriptenFs): FsType {
  const durability = createHostDurability()
  const streamOps = createHostStreamOps(fs, durability)

  const createNode = (parent: FsNode | null, name: string, mode: number): FsNode => {
    const node = fs.createNode(parent, name, mode, 0)
    node.node_ops = nodeOps
    node.stream_ops = fs.isDir(mode) ? directoryStreamOps : streamOps
    return node
  }
  const child = (parent: FsNode, name: string) => join(hostPath(parent), name)
  const existing = (parent: FsNode, name: string): FsNode | null => {
    try {
      return fs.lookupNode(parent, name)
    } catch {
      return null // no such name
    }
  }

  const nodeOps: NodeOps = {
    getattr: node => asErrno(fs, () => hostAttributes(lstatSync(hostPath(node)))),
    setattr: (node, change) =>
      asErrno(fs, () => {
        // Modes are kept inside the engine only: on the host everything stays private to the owner.
        if (change.mode !== undefined) node.mode = change.mode
        if (change.size !== undefined) {
          truncateSync(hostPath(node), change.size)
          durability.written(node)
        }
        if (change.mtime != null)
          utimesSync(hostPath(node), new Date(change.atime ?? change.mtime), new Date(change.mtime))
      }),
    lookup: (parent, name) => asErrno(fs, () => createNode(parent, name, repairedMode(child(parent, name)))),
    mknod: (parent, name, mode) =>
      asErrno(fs, () => {
        if (fs.isDir(mode)) mkdirSync(child(parent, name), ownerRwx)
        else writeFileSync(child(parent, name), '', { mode: 0o600, flag: 'wx' })
        return createNode(parent, name, mode)
      }),
    rename: (node, newParent, newName) =>
      asErrno(fs, () => {
        durability.beforeRename(node)
        if (fs.isDir(node.mode)) durability.directory(node)
        const replaced = existing(newParent, newName)
        renameSync(hostPath(node), child(newParent, newName))
        if (replaced) {
          durability.removed(replaced)
          fs.hashRemoveNode(replaced)
        }
        durability.directory(newParent)
        if (node.parent !== newParent) durability.directory(node.parent)
        node.name = newName
      }),
    unlink: (parent, name) =>
      asErrno(fs, () => {
        const node = existing(parent, name)
        unlinkSync(child(parent, name))
        if (node) durability.removed(node)
      }),
    rmdir: (parent, name) => asErrno(fs, () => rmdirSync(child(parent, name))),
    readdir: node => asErrno(fs, () => ['.', '..', ...readdirSync(hostPath(node))]),
    symlink: (parent, name, target) =>
      asErrno(fs, () => {
        symlinkSync(target, child(parent, name))
        return createNode(parent, name, 0o120777)
      }),
    readlink: node => asErrno(fs, () => readlinkSync(hostPath(node))),
    statfs: root =>
      asErrno(fs, () => {
        const { bsize, blocks, bfree, bavail } = statfsSync(root)
        return { bsize, frsize: bsize, blocks, bfree, bavail }
      }),
  }

  return { mount: mount => createNode(null, '/', lstatSync(mount.opts.root).mode) }
}
