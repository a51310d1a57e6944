/**
 * Adds a line to `HYDRANT_TEST_DURATIONS` for each test file: its time, with its imports and hooks, and the CPU time of its process and
 * of what that has started. A process runs one file at a time. Not counted are processes whose parent was killed before it had
 * waited for them (the children of a Hydrant that a test kills), and the PostgreSQL that the contract suite shares.
 */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll } from 'vitest'
import { type CpuOfTree, cpuOfTree } from './cpu-of-tree.ts'

export type FileTime = {
  suite: string
  file: string
  wallMs: number
  /** Null where there is no /proc. */
  cpuMs: number | null
  /** What this process leaves running, such as a shared browser. */
  leftMs: number
  pid: number
}

const path = process.env.HYDRANT_TEST_DURATIONS

if (path !== undefined) {
  const begunAt = performance.now()
  const before = cpuOfTree(process.pid)
  // biome-ignore lint/correctness/noEmptyPattern: Vitest refuses another first parameter.
  afterAll(({}, { file }) => {
    const after = cpuOfTree(process.pid)
    const time: FileTime = {
      suite: file.projectName ?? '',
      file: relative(process.cwd(), file.filepath),
      wallMs: performance.now() - begunAt,
      cpuMs: after && before && sumOf(after) - sumOf(before),
      leftMs: after?.runningMs ?? 0,
      pid: process.pid,
    }
    appendFileSync(path, `${JSON.stringify(time)}\n`)
  })
}

function sumOf({ ownMs, runningMs }: CpuOfTree): number {
  return ownMs + runningMs
}
