import { readdirSync, readFileSync } from 'node:fs'

export type CpuOfTree = {
  /** Of the process, and of the children that it has waited for. */
  ownMs: number
  /** Of its descendants that still run. */
  runningMs: number
}

type ProcessTime = { pid: number; parent: number; cpuMs: number }

const tickMs = 10 // USER_HZ is 100 on every Linux

/** CPU time of a process and its descendants; null where there is no /proc. */
export function cpuOfTree(pid: number): CpuOfTree | null {
  const all = readdirIfThere('/proc').flatMap(name => (/^\d+$/.test(name) ? readTime(name) : []))
  const own = all.find(one => one.pid === pid)
  if (own === undefined) return null
  const children = Map.groupBy(all, ({ parent }) => parent)
  const sumBelow = (parent: number): number =>
    (children.get(parent) ?? []).reduce((sum, child) => sum + child.cpuMs + sumBelow(child.pid), 0)
  return { ownMs: own.cpuMs, runningMs: sumBelow(pid) }
}

function readdirIfThere(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // not Linux
  }
}

function readTime(name: string): ProcessTime[] {
  try {
    const line = readFileSync(`/proc/${name}/stat`, 'latin1')
    // The name of the program is in parentheses and may have both spaces and parentheses.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) // utime, stime, cutime, cstime
    return [{ pid: Number(name), parent: Number(fields[1]), cpuMs: ticks * tickMs }]
  } catch {
    return [] // it has ended meanwhile
  }
}
