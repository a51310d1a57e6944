/** Where memory runs out, Linux ends the process that it would miss least. That is a child, which is started again, not the one that takes events. */
import { writeFileSync } from 'node:fs'

/** Tenths of a percent of all memory, added to what the process is judged by. */
const handicap = 300

/** For a child process, before it starts anything. */
export function endBeforeParent(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', String(handicap))
  } catch {
    // Some sandboxes forbid it: then the kernel judges by size alone, and the engine is the largest anyway.
  }
}
