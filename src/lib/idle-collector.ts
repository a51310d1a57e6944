import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Below this much work, a collection frees too little to be worth its 40 ms. */
const minWorkBytes = 8 * 1024 * 1024

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Returns memory to the operating system after a burst of work. V8 collects only while the program allocates and keeps its
 * grown heap for the next burst, which a small machine cannot spare.
 */
export function createIdleCollector(): { work(sizeBytes: number): void; rest(): void } {
  let workedBytes = 0
  let collect: Collect | null = null
  return {
    work: sizeBytes => {
      workedBytes += sizeBytes
    },
    rest: () => {
      if (workedBytes < minWorkBytes) return
      workedBytes = 0
      collect ??= exposeCollect()
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    },
  }
}

function exposeCollect(): Collect {
  setFlagsFromString('--expose-gc') // only contexts created after this have gc()
  return runInNewContext('gc') as Collect
}
