// biome-ignore-all lint/a11y/useSemanticElements: a table can't be virtualized, so roles describe the tree grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row with aria-activedescendant
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the page handles keys for the row under the cursor
// biome-ignore-all lint/a11y/noStaticElementInteractions: clicks bubble from rows to their grid
'use client'
import type { MouseEvent, RefObject } from 'react'
import { LaneRow } from './lane-row.tsx'
import { TimeLines, type VitalView } from './ruler.tsx'
import type { TraceView } from './use-trace-view.ts'
import type { VirtualRows } from './use-virtual-rows.ts'
import { WaterfallRow } from './waterfall-row.tsx'

type Props = {
  grid: RefObject<HTMLDivElement | null>
  view: TraceView
  virtual: VirtualRows
  vitals: VitalView[]
  openRow: number
  onShow: (row: number) => void
}

/** The rows of the waterfall: a virtualized tree grid. */
export function WaterfallGrid({ grid, view, virtual, vitals, openRow, onShow }: Props) {
  const { shape, rows, window: time, cursorRow } = view

  function click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null
    const row = Number(target?.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1)
    if (row < 0) return
    if (target?.closest('.tri') || (shape.columns.id[row] ?? '') === '') {
      view.setCursor(row)
      if ((shape.end[row] ?? 0) > row + 1) view.toggle(row)
    } else onShow(row)
  }

  return (
    <div
      ref={grid}
      role="treegrid"
      tabIndex={0}
      className="wfgrid"
      aria-label="Spans"
      aria-rowcount={rows.length}
      aria-activedescendant={cursorRow < 0 ? undefined : rowId(shape.columns.id[cursorRow] ?? '', cursorRow)}
      style={{ height: virtual.totalHeight }}
      onClick={click}
    >
      <TimeLines vitals={vitals} window={time} scale={shape.scale} />
      {virtual.items.map(({ index, top }) => {
        const row = rows[index]
        if (!row) return null
        return (
          <div key={index} role="presentation" className="wfslot" style={{ transform: `translateY(${top}px)` }}>
            {row.kind === 'lane' ? (
              <LaneRow lane={shape.columns.lanes[row.lane]} index={index} />
            ) : (
              <WaterfallRow
                shape={shape}
                row={row.index}
                depth={row.depth}
                index={index}
                window={time}
                isFolded={view.isFolded(row.index)}
                isCursor={row.index === cursorRow}
                isOpen={row.index === openRow}
              />
            )}
          </div>
        )
      })}
    </div>
  )
}

const rowId = (id: string, row: number): string => (id === '' ? `row-${row}` : `span-${id}`)
