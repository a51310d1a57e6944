/** Memory that belongs to Hydrant alone: anonymous pages of the main process and all its children. Files it has mapped do not count. */
import { readdirSync, readFileSync } from 'node:fs'

export type TreeMemory = { totalMB: number; processes: { pid: number; command: string; anonymousMB: number }[] }

export function readTreeMemory(rootPid: number): TreeMemory {
  const processes = treeOf(rootPid).flatMap(pid => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      const kilobytes = Number(/^Anonymous:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0)
      return [{ pid, command: commandOf(pid), anonymousMB: kilobytes / 1024 }]
    } catch {
      return [] // it ended while we looked
    }
  })
  return { totalMB: processes.reduce((sum, { anonymousMB }) => sum + anonymousMB, 0), processes }
}

export function treeOf(rootPid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter(entry => /^\d+$/.test(entry))) {
    const stat = readOrEmpty(`/proc/${name}/stat`)
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const tree = [rootPid]
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child)
  return tree
}

const commandOf = (pid: number): string =>
  readOrEmpty(`/proc/${pid}/cmdline`)
    .split('\0')
    .find(part => part.endsWith('.ts'))
    ?.replace(/^.*\//, '')
    .replace(/\.ts$/, '') ?? 'other'

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
