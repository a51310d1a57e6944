// biome-ignore-all lint/a11y/useSemanticElements: a table can't be virtualized, so roles describe the tree grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row with aria-activedescendant
'use client'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { formatDuration, formatMany } from '../format.ts'
import { Level } from '../level.tsx'
import { barPosition } from './bar-position.ts'
import { isQueryOp, opFamily, opLabel } from './op-family.tsx'
import { flag } from './trace-columns.ts'
import { describeRow, hasChildren, type TraceShape } from './trace-rows.ts'
import type { TimeWindow } from './use-trace-view.ts'

type Props = {
  shape: TraceShape
  row: number
  depth: number
  /** Among the visible rows. */
  index: number
  window: TimeWindow
  isFolded: boolean
  isCursor: boolean
  isOpen: boolean
}

const maxDepth = 18 // deeper names would have no room; screen readers still get the level

/** One row of the tree grid: name on the left, bar on the right. The grid handles clicks, so that rows can be memoized. */
export const WaterfallRow = memo(function WaterfallRow(props: Props) {
  const { shape, row, depth, index, isFolded, isCursor, isOpen } = props
  const { columns } = shape
  const kind = columns.kind[row] ?? 0
  const flags = columns.flags[row] ?? 0
  const op = columns.strings[columns.op[row] ?? 0] ?? ''
  const id = columns.id[row] ?? ''
  const isParent = hasChildren(shape, row)
  const isBad = (flags & flag.failed) !== 0 || shape.errors.has(row)
  const note = describeRow(shape, row)
  const looks = [
    'wfr',
    kindLooks[kind],
    isCursor ? 'cur' : '',
    isOpen ? 'sel' : '',
    flags & flag.transport ? 'own' : '',
  ]
  return (
    <div
      role="row"
      id={id === '' ? `row-${row}` : `span-${id}`}
      className={looks.filter(Boolean).join(' ')}
      aria-level={depth + 1}
      aria-rowindex={index + 1}
      aria-expanded={isParent ? !isFolded : undefined}
      aria-selected={isOpen}
      style={{ '--d': Math.min(depth, maxDepth), '--op': `var(--op-${opFamily(op)})` } as React.CSSProperties}
      data-row={row}
    >
      <div role="gridcell" className="nm">
        {isParent ? (
          <button type="button" tabIndex={-1} className="tri" aria-label={isFolded ? 'Expand' : 'Collapse'}>
            {isFolded ? <ChevronRight className="i i-s" /> : <ChevronDown className="i i-s" />}
          </button>
        ) : (
          <span className="tri" />
        )}
        {kind === 3 ? <span className="t3">no data</span> : null}
        {op === '' ? null : <span className="op">{opLabel(op)}</span>}
        <span className={isQueryOp(op) ? 'cut mono' : 'cut'}>{nameOf(shape, row, kind)}</span>
        {kind === 2 ? <span className="ct">×{(shape.end[row] ?? 0) - row - 1}</span> : null}
        {isBad ? <Level level="error" /> : null}
        {shape.logs.has(row) ? <span className="ct">{formatMany(shape.logs.get(row) ?? 0, 'log')}</span> : null}
        <span className={isBad ? 'du bad' : 'du'}>{kind === 1 ? '' : formatDuration(columns.duration[row] ?? 0)}</span>
      </div>
      <div role="gridcell" className="ln">
        <Bar {...props} kind={kind} isBad={isBad} note={note} />
      </div>
    </div>
  )
})

const kindLooks = ['', 'missing', 'repeat', 'gap']

function nameOf({ columns }: TraceShape, row: number, kind: number): string {
  const name = columns.strings[columns.name[row] ?? 0] ?? ''
  return kind === 1 ? name || `span ${columns.id[row]}` : name
}

const maxMembers = 60

function Bar({
  shape,
  row,
  window,
  kind,
  isBad,
  note,
  isFolded,
}: Props & { kind: number; isBad: boolean; note: string }) {
  const { columns, end, scale } = shape
  const startUs = columns.start[row] ?? 0
  const durationUs = columns.duration[row] ?? 0
  const whole = barPosition(startUs, durationUs, window, scale)
  const isAfter = scale.draw(startUs) > window.toUs
  if (!whole) return <span className={isAfter ? 'off right' : 'off'}>{isAfter ? '›' : '‹'}</span>
  const count = (end[row] ?? 0) - row - 1
  const members =
    kind === 2 && isFolded && count <= maxMembers ? Array.from({ length: count }, (_, at) => row + 1 + at) : []
  const noteAt = whole.left + whole.width
  return (
    <>
      <span
        className={`b${isBad ? ' err' : ''}${members.length > 0 ? ' span' : ''}`}
        style={{ left: `${whole.left}%`, width: `${whole.width}%` }}
      />
      {members.map(member => {
        const bar = barPosition(columns.start[member] ?? 0, columns.duration[member] ?? 0, window, scale)
        return bar ? <span key={member} className="b" style={{ left: `${bar.left}%`, width: `${bar.width}%` }} /> : null
      })}
      {(shape.marks.get(row) ?? []).map(([, at, isError], index) => {
        const mark = barPosition(at, 0, window, scale)
        return mark ? (
          <i key={index} className={isError ? 'logmark bad' : 'logmark'} style={{ left: `${mark.left}%` }} />
        ) : null
      })}
      {note ? (
        <span
          className={noteAt > 60 ? 'd end' : 'd'}
          style={noteAt > 60 ? { right: `${100 - whole.left}%` } : { left: `${noteAt}%` }}
        >
          {note}
        </span>
      ) : null}
    </>
  )
}
