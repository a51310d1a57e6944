import { closeSync, fsyncSync, openSync } from 'node:fs'
import type { FsNode } from './emscripten.ts'
import { hostPath } from './host-path.ts'

export type HostDurability = {
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
