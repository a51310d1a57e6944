import { formatDuration } from '../format.ts'
import { scaleTime, type TimeScale } from './time-scale.ts'
import { flag, type TraceColumns } from './trace-columns.ts'

export type TraceRow = { kind: 'lane'; lane: number } | { kind: 'node'; index: number; depth: number }

/** Derived from the columns once. Pure, so that folding, filtering and deep links can be tested without a browser. */
export type TraceShape = {
  columns: TraceColumns
  depth: Int32Array
  /** The row after the last descendant. */
  end: Int32Array
  errors: ReadonlyMap<number, number>
  logs: ReadonlyMap<number, number>
  marks: ReadonlyMap<number, TraceColumns['marks']>
  byId: ReadonlyMap<string, number>
  scale: TimeScale
}

export function shapeTrace(columns: TraceColumns): TraceShape {
  const { length } = columns.kind
  const depth = new Int32Array(length)
  const end = new Int32Array(length)
  const byId = new Map<string, number>()
  for (let row = 0; row < length; row++) {
    const parent = columns.parent[row] ?? -1
    depth[row] = parent < 0 ? 0 : (depth[parent] ?? 0) + 1
    const id = columns.id[row] ?? ''
    if (id !== '') byId.set(id, row)
  }
  for (let row = length - 1; row >= 0; row--) {
    end[row] = Math.max(end[row] ?? 0, row + 1)
    const parent = columns.parent[row] ?? -1
    if (parent >= 0) end[parent] = Math.max(end[parent] ?? 0, end[row] ?? 0)
  }
  return {
    columns,
    depth,
    end,
    errors: new Map(columns.errors),
    logs: new Map(columns.logs),
    marks: Map.groupBy(columns.marks, ([row]) => row),
    byId,
    scale: scaleTime(columns),
  }
}

/** A key for a row that stays the same when more spans arrive. */
export function rowKey({ columns }: TraceShape, row: number): string {
  const id = columns.id[row] ?? ''
  return id !== '' ? id : `${columns.kind[row]}-${columns.parent[row]}-${columns.start[row]}`
}

export const hasChildren = ({ end }: TraceShape, row: number): boolean => (end[row] ?? 0) > row + 1

/** Repeats and prefetches are folded initially. */
const isFoldedInitially = ({ columns }: TraceShape, row: number): boolean =>
  columns.kind[row] === 2 || ((columns.flags[row] ?? 0) & flag.prefetch) !== 0

/** `toggled` holds the rows whose fold differs from the initial state. */
export function visibleRows(shape: TraceShape, toggled: ReadonlySet<string>, filter: string): TraceRow[] {
  const { columns, depth, end } = shape
  const rows: TraceRow[] = []
  const kept = filter === '' ? null : matching(shape, filter)
  let lane = -1
  for (let row = 0; row < columns.kind.length; ) {
    if (kept && !kept.has(row)) {
      row++
      continue
    }
    const own = columns.lane[row] ?? 0
    if (own !== lane && columns.kind[row] !== 3) {
      rows.push({ kind: 'lane', lane: own })
      lane = own
    }
    rows.push({ kind: 'node', index: row, depth: depth[row] ?? 0 })
    const isShut = !kept && hasChildren(shape, row) && isFolded(shape, row, toggled)
    row = isShut ? (end[row] ?? row + 1) : row + 1
  }
  return rows
}

export const isFolded = (shape: TraceShape, row: number, toggled: ReadonlySet<string>): boolean =>
  isFoldedInitially(shape, row) !== toggled.has(rowKey(shape, row))

/** The matching rows and their ancestors. */
function matching({ columns }: TraceShape, filter: string): Set<number> {
  const wanted = filter.toLowerCase()
  const hits = columns.strings.map(text => text.toLowerCase().includes(wanted))
  const kept = new Set<number>()
  for (let row = 0; row < columns.kind.length; row++) {
    if (!hits[columns.name[row] ?? 0] && !hits[columns.op[row] ?? 0]) continue
    for (let up = row; up >= 0 && !kept.has(up); up = columns.parent[up] ?? -1) kept.add(up)
  }
  return kept
}

/** Opens the folds around a row. */
export function unfoldTo(shape: TraceShape, row: number, toggled: ReadonlySet<string>): Set<string> {
  const next = new Set(toggled)
  for (let up = shape.columns.parent[row] ?? -1; up >= 0; up = shape.columns.parent[up] ?? -1) {
    if (!isFolded(shape, up, next)) continue
    const key = rowKey(shape, up)
    if (!next.delete(key)) next.add(key)
  }
  return next
}

/** Rows that failed or have errors, for stepping through them. */
export const troubledRows = ({ columns, errors }: TraceShape): number[] =>
  columns.kind.flatMap((_, row) => (((columns.flags[row] ?? 0) & flag.failed) !== 0 || errors.has(row) ? [row] : []))

/** An explanation of unusual rows; '' for normal ones. */
export function describeRow({ columns, end }: TraceShape, row: number): string {
  const flags = columns.flags[row] ?? 0
  const kind = columns.kind[row]
  if (kind === 1) return 'not received yet'
  if (kind === 2) return describeRepeat(columns, row, (end[row] ?? 0) - row - 1)
  if (flags & flag.cycle) return 'its ancestors form a cycle'
  if (flags & flag.unclocked) return 'no shared clock: drawn at its parent’s start'
  if (flags & flag.late) return 'started after its parent ended'
  return ''
}

/** Sequential repeats are what a loop of queries looks like. */
function describeRepeat({ start, duration }: TraceShape['columns'], row: number, count: number): string {
  let sum = 0
  let areApart = true
  for (let member = row + 1; member <= row + count; member++) {
    sum += duration[member] ?? 0
    if (member > row + 1 && (start[member] ?? 0) < (start[member - 1] ?? 0) + (duration[member - 1] ?? 0))
      areApart = false
  }
  return `${areApart ? 'sequential' : 'overlapping'}, ${formatDuration(sum / count)} each`
}
