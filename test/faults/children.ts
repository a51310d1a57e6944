/** The children of a running Hydrant, found in its log. */
import { type Hydrant, until } from '../start-hydrant.ts'

export type ChildName = 'engine' | 'web'

/** The process ids of all starts of a child so far. */
export const livesOf = (hydrant: Hydrant, name: ChildName): number[] =>
  hydrant
    .output()
    .split('\n')
    .flatMap(line => (line.includes(`"${name} is up"`) ? [(JSON.parse(line) as { pid: number }).pid] : []))

/** One that has just ended with an earlier kill is back soon. */
export async function killChild(hydrant: Hydrant, name: ChildName): Promise<void> {
  await until(() => {
    const pid = livesOf(hydrant, name).at(-1)
    if (pid === undefined) throw new Error(`${name} has never been up`)
    try {
      return process.kill(pid, 'SIGKILL')
    } catch {
      return false
    }
  })
}

/** Waits until the child has started again. */
export const childIsBack = (hydrant: Hydrant, name: ChildName, livesBefore: number): Promise<void> =>
  until(() => livesOf(hydrant, name).length > livesBefore)
