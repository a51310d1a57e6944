/**
 * What a flood left behind is given back when it is over. V8 collects while something is allocated, and keeps what it has grown to
 * for the next time; a small machine has better uses for it.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A trickle leaves nothing that is worth the forty milliseconds. */
const floodBytes = 8 * 1024 * 1024

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

function exposeCollect(): Collect {
  setFlagsFromString('--expose-gc') // V8 gives the function to contexts that are made after this
  return runInNewContext('gc') as Collect
}

export function createRest(): { work(sizeBytes: number): void; rest(): void } {
  let workedBytes = 0
  let collect: Collect | null = null
  return {
    work: sizeBytes => {
      workedBytes += sizeBytes
    },
    rest: () => {
      if (workedBytes < floodBytes) return
      workedBytes = 0
      collect ??= exposeCollect()
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    },
  }
}
