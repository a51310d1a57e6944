/** From slices to boxes of a flame chart, and to the numbers of each function. */
import type { CutProfile, Slice } from './cut-profile.ts'

/** `from` and `to` are milliseconds from the beginning. */
export type Box = { frame: number; depth: number; from: number; to: number; samples: number }

/** In the order of time: a function that stays on the stack is one box. */
export function timeBoxes({ slices }: CutProfile): Box[] {
  const boxes: Box[] = []
  let open: Box[] = []
  for (const { startMs, durationMs, stack } of slices) {
    const isNext = open.length > 0 && Math.abs((open[0]?.to ?? 0) - startMs) < 0.001
    let same = 0
    while (isNext && same < open.length && open[same]?.frame === stack[same]) same++
    open = open.slice(0, same)
    for (const box of open) {
      box.to = startMs + durationMs
      box.samples++
    }
    for (const [at, frame] of stack.slice(same).entries()) {
      const box = { frame, depth: same + at, from: startMs, to: startMs + durationMs, samples: 1 }
      open.push(box)
      boxes.push(box)
    }
  }
  return boxes
}

type Node = { frame: number; ms: number; samples: number; children: Map<number, Node> }

/** The same calls together, the longest first. */
export function mergedBoxes({ slices }: CutProfile): Box[] {
  const root: Node = { frame: -1, ms: 0, samples: 0, children: new Map() }
  for (const { stack, durationMs } of slices) {
    let node = root
    for (const frame of stack) {
      const child: Node = node.children.get(frame) ?? { frame, ms: 0, samples: 0, children: new Map() }
      node.children.set(frame, child)
      child.ms += durationMs
      child.samples++
      node = child
    }
  }
  const boxes: Box[] = []
  const place = (node: Node, depth: number, start: number): void => {
    let from = start
    for (const child of [...node.children.values()].sort((a, b) => b.ms - a.ms)) {
      boxes.push({ frame: child.frame, depth, from, to: from + child.ms, samples: child.samples })
      place(child, depth + 1, from)
      from += child.ms
    }
  }
  place(root, 0, 0)
  return boxes
}

export type FunctionRow = {
  frame: number
  selfMs: number
  totalMs: number
  samples: number
  /** Who called it, the longest first. */
  callers: { frame: number; ms: number }[]
}

const mostCallers = 5

/** Every function once, with its own time and that of what it called. A function that calls itself counts once. */
export function listFunctions({ slices }: CutProfile): FunctionRow[] {
  const rows = new Map<number, FunctionRow & { from: Map<number, number> }>()
  const rowOf = (frame: number) => {
    const row = rows.get(frame) ?? { frame, selfMs: 0, totalMs: 0, samples: 0, callers: [], from: new Map() }
    rows.set(frame, row)
    return row
  }
  for (const slice of slices) countSlice(slice, rowOf)
  return [...rows.values()]
    .map(({ from, ...row }) => ({
      ...row,
      callers: [...from]
        .map(([frame, ms]) => ({ frame, ms }))
        .sort((a, b) => b.ms - a.ms)
        .slice(0, mostCallers),
    }))
    .sort((a, b) => b.selfMs - a.selfMs || b.totalMs - a.totalMs)
}

function countSlice(
  { stack, durationMs }: Slice,
  rowOf: (frame: number) => FunctionRow & { from: Map<number, number> },
): void {
  const seen = new Set<number>()
  for (const [at, frame] of stack.entries()) {
    if (seen.has(frame)) continue
    seen.add(frame)
    const row = rowOf(frame)
    row.totalMs += durationMs
    row.samples++
    const caller = stack[at - 1]
    if (caller !== undefined) row.from.set(caller, (row.from.get(caller) ?? 0) + durationMs)
  }
  const last = stack.at(-1)
  if (last !== undefined) rowOf(last).selfMs += durationMs
}
