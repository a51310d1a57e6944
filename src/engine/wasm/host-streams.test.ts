import fs, { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FsNode } from './emscripten.ts'
import { createHostDurability } from './host-streams.ts'

// Only this function, and only during a test: a mock of the module would stay for the other files of the worker.
const fsyncSync = vi.spyOn(fs, 'fsyncSync')

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'durability-'))
  fsyncSync.mockClear()
  syncBuiltinESMExports()
})

afterEach(() => rmSync(root, { recursive: true }))
afterAll(() => {
  fsyncSync.mockRestore()
  syncBuiltinESMExports()
})

/** A node as Emscripten creates it: the root is its own parent. */
function node(name: string, parent?: FsNode): FsNode {
  const made = { id: 0, name, mode: 0, mount: { opts: { root } }, node_ops: {}, stream_ops: {} } as FsNode
  made.parent = parent ?? made
  return made
}

function writtenFile(parent: FsNode, path: string): FsNode {
  writeFileSync(path, 'x')
  return node(path.slice(path.lastIndexOf('/') + 1), parent)
}

test('a part is synced before its folder is renamed', () => {
  const durability = createHostDurability()
  const part = node('tmp_insert_all_1_1_0', node('/'))
  mkdirSync(join(root, part.name))
  for (const name of ['data.bin', 'checksums.txt']) {
    const file = writtenFile(part, join(root, part.name, name))
    durability.written(file)
    const fd = openSync(join(root, part.name, name), 'r')
    durability.closing(file, fd)
    closeSync(fd)
  }
  expect(fsyncSync).toHaveBeenCalledTimes(0)
  durability.beforeRename(part)
  expect(fsyncSync).toHaveBeenCalledTimes(2)
  durability.directory(part)
  expect(fsyncSync).toHaveBeenCalledTimes(3)
})

test('a file outside of a part is synced once, when it is closed', () => {
  const durability = createHostDurability()
  const file = writtenFile(node('/'), join(root, 'format_version.txt'))
  durability.written(file)
  const fd = openSync(join(root, 'format_version.txt'), 'r')
  durability.closing(file, fd)
  durability.closing(file, fd)
  closeSync(fd)
  expect(fsyncSync).toHaveBeenCalledTimes(1)
})

test('a removed file is not synced', () => {
  const durability = createHostDurability()
  const part = node('tmp_merge_all_1_2_1', node('/'))
  const file = node('gone.bin', part)
  durability.written(file)
  durability.removed(file)
  durability.beforeRename(part)
  expect(fsyncSync).toHaveBeenCalledTimes(0)
})
