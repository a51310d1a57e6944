/**
 * How much memory this process and its children may use together: the smallest limit of the control groups that it is in, else
 * what the machine has. The kernel ends a process above it, whatever the machine has left.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'

type MemoryLimit = { bytes: number; isFromCgroup: boolean }

type Source = { readText(path: string): string; totalBytes: number }

const thisMachine = (): Source => ({ readText: path => readFileSync(path, 'utf8'), totalBytes: totalmem() })

/** Version 2 has one tree, version 1 one for each controller. `memory.high` slows a process down until it hardly runs: it is a limit too. */
const trees = [
  { line: /^0::(\/.*)$/m, mount: '/sys/fs/cgroup', files: ['memory.max', 'memory.high'] },
  {
    line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m,
    mount: '/sys/fs/cgroup/memory',
    files: ['memory.limit_in_bytes'],
  },
]

export function readMemoryLimit(source: Source = thisMachine()): MemoryLimit {
  const groups = readOr(source, '/proc/self/cgroup')
  const limits = trees.flatMap(({ line, mount, files }) => {
    const path = line.exec(groups)?.[1]
    if (path === undefined) return []
    return ancestors(path).flatMap(group => files.flatMap(file => readBytes(source, join(mount, group, file))))
  })
  const bytes = Math.min(source.totalBytes, ...limits)
  return { bytes, isFromCgroup: bytes < source.totalBytes }
}

/** A container may see its own group as the root, under a path that exists only outside: what is missing says nothing. */
function ancestors(path: string): string[] {
  return path === '/' ? ['/'] : [path, ...ancestors(dirname(path))]
}

function readBytes(source: Source, path: string): number[] {
  const text = readOr(source, path).trim()
  return /^\d+$/.test(text) ? [Number(text)] : [] // 'max' is no limit
}

function readOr({ readText }: Source, path: string): string {
  try {
    return readText(path)
  } catch {
    return ''
  }
}

/* Where memory runs out, Linux ends the process that it would miss least. That is a child, which is started again, not the one that takes events. */

/** Tenths of a percent of all memory, added to what the process is judged by. */
const handicap = 300

/** For a child process, before it starts anything. */
export function endBeforeParent(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', String(handicap))
  } catch {
    // Some sandboxes forbid it: then the kernel judges by size alone, and the engine is the largest anyway.
  }
}
