/** Waits until a process and its children have nothing left to do: the engine merges for a while after all is digested. */
import { setTimeout as pause } from 'node:timers/promises'
import { readProcessCpuMs } from './thread-cpu.ts'
import { treeOf } from './tree-memory.ts'

const windowMs = 1_000
const mostBusyMs = 50
const patienceMs = 30_000

export async function waitForQuiet(rootPid: number): Promise<void> {
  const end = performance.now() + patienceMs
  let before = treeCpuMs(rootPid)
  while (performance.now() < end) {
    await pause(windowMs)
    const now = treeCpuMs(rootPid)
    if (now - before <= mostBusyMs) return
    before = now
  }
}

const treeCpuMs = (rootPid: number): number => treeOf(rootPid).reduce((sum, pid) => sum + readProcessCpuMs(pid), 0)
