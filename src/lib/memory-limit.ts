/**
 * How much memory this process and its children may use together: the smallest limit of its cgroups, otherwise the memory of the
 * machine. Above the limit the kernel kills a process, however much the machine has left.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'

type MemoryLimit = { bytes: number; isFromCgroup: boolean }

type Source = { readText(path: string): string; totalBytes: number }

const thisMachine = (): Source => ({ readText: path => readFileSync(path, 'utf8'), totalBytes: totalmem() })

/** cgroup v2 has one tree, v1 one per controller. `memory.high` is a limit too: above it a process is throttled until it hardly runs. */
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

/** A container may see its own group as the root, while its path exists only outside; missing files are ignored. */
function ancestors(path: string): string[] {
  return path === '/' ? ['/'] : [path, ...ancestors(dirname(path))]
}

function readBytes(source: Source, path: string): number[] {
  const text = readOr(source, path).trim()
  return /^\d+$/.test(text) ? [Number(text)] : [] // 'max' means no limit
}

function readOr({ readText }: Source, path: string): string {
  try {
    return readText(path)
  } catch {
    return ''
  }
}

/** Added to the process's badness score, in tenths of a percent of all memory. */
const handicap = 300

/** Makes the OOM killer choose this child, which is restarted, before the parent, which accepts events. Call before starting anything. */
export function endBeforeParent(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', String(handicap))
  } catch {
    // Some sandboxes forbid it. Then the kernel goes by size, and the engine is the largest anyway.
  }
}
