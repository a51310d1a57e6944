import type { StatementResult } from './engine-driver.ts'

const mostInARow = 2

/**
 * WebAssembly's memory never shrinks, and the engine holds all of it against its limit: once it has grown that far, whatever it
 * is asked fails, and only a new process helps. One statement alone may have wanted too much; the next one tells.
 */
export function createExhaustionWatch(): (result: StatementResult) => boolean {
  let inARow = 0
  return result => {
    const isRefused = result.kind === 'failed' && /\(total\) memory limit exceeded/i.test(result.message)
    if (isRefused) inARow++
    else if (result.kind === 'done') inARow = 0
    return inARow >= mostInARow
  }
}
