import type { StatementResult } from './engine-driver.ts'

const mostInARow = 2
const noMemory = /\(total\) memory limit exceeded|CANNOT_ALLOCATE_MEMORY|bad_alloc/i

/**
 * WebAssembly's memory never shrinks: once it has grown as far as it can and is in pieces, whatever the engine is asked fails, and
 * only a new process helps. One statement alone may have wanted too much; the next one tells.
 */
export function createExhaustionWatch(): (result: StatementResult) => boolean {
  let inARow = 0
  return result => {
    const isRefused = result.kind === 'failed' && noMemory.test(result.message)
    if (isRefused) inARow++
    else if (result.kind === 'done') inARow = 0
    return inARow >= mostInARow
  }
}
