import { execFileSync } from 'node:child_process'

/** CPU time of a process, in whole seconds. */
export function cpuSeconds(pid: number): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim() // 1-02:03:04 or 3:04.05
  const [clock = '', days = '0'] = time.split('-').reverse()
  return clock.split(':').reduce((sum, part) => sum * 60 + Math.floor(Number(part)), Number(days) * 24)
}
