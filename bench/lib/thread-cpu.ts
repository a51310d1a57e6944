import { readFileSync } from 'node:fs'

const tickMs = 10 // USER_HZ is 100 on every Linux that Node runs on

/** CPU time that the main thread of a process has used; what neighbors on the machine do does not change it. */
export const readThreadCpuMs = (pid: number): number => readCpuMs(`/proc/${pid}/task/${pid}/stat`)

/** CPU time of all threads of a process. */
export const readProcessCpuMs = (pid: number): number => readCpuMs(`/proc/${pid}/stat`)

function readCpuMs(path: string): number {
  const stat = readFileSync(path, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}
