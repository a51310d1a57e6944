import { formatDuration } from '../format-duration.ts'
import { flag } from './trace-columns.ts'
import type { TraceShape } from './trace-rows.ts'

/** What has to be said about a row, beside its name: why it stands where it stands. '' where it speaks for itself. */
export function describeRow({ columns, end }: TraceShape, row: number): string {
  const flags = columns.flags[row] ?? 0
  const kind = columns.kind[row]
  if (kind === 1) return 'not received (yet)'
  if (kind === 2) return describeRepeat(columns, row, (end[row] ?? 0) - row - 1)
  if (flags & flag.cycle) return 'its parents lead back to itself'
  if (flags & flag.unclocked) return 'its clock is its own: drawn at its parent’s start'
  if (flags & flag.late) return 'began after its parent had ended'
  return ''
}

/** One after another is what a loop of queries looks like. */
function describeRepeat({ start, duration }: TraceShape['columns'], row: number, count: number): string {
  let sum = 0
  let areApart = true
  for (let member = row + 1; member <= row + count; member++) {
    sum += duration[member] ?? 0
    if (member > row + 1 && (start[member] ?? 0) < (start[member - 1] ?? 0) + (duration[member - 1] ?? 0))
      areApart = false
  }
  return `${areApart ? 'one after another' : 'overlapping'}, ${formatDuration(sum / count)} each`
}
