import { readFile } from 'node:fs/promises'

/** Memory of a process that is in use, its threads included; 0 where there is no /proc to ask. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}
