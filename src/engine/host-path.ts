import { join } from 'node:path'
import type { FsNode } from './emscripten.ts'

/** Where a node of the mounted file system lies on the machine. */
export function hostPath(node: FsNode): string {
  const names: string[] = []
  let current = node
  while (current !== current.parent) {
    names.unshift(current.name)
    current = current.parent
  }
  return join(current.mount.opts.root, ...names)
}
