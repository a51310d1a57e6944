// biome-ignore-all lint/a11y/useSemanticElements: a table can't be virtualized, so roles describe the tree grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row with aria-activedescendant
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the page handles keys for the row under the cursor
// biome-ignore-all lint/a11y/noStaticElementInteractions: clicks bubble from rows to their grid
'use client'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react'
import { KeyHelp } from '../keys/key-help.tsx'
import { LaneRow } from './lane-row.tsx'
import { Legend } from './op-family.tsx'
import { PlainWaterfall } from './plain-waterfall.tsx'
import { TimeLines, type VitalView } from './ruler.tsx'
import type { SpanLink } from './span-body.tsx'
import { SpanDrawer } from './span-drawer.tsx'
import { useRowHeight } from './use-row-height.ts'
import { useSpanDetails } from './use-span-details.ts'
import { useTraceCommands } from './use-trace-commands.ts'
import { type TimeWindow, useTraceView } from './use-trace-view.ts'
import { WaterfallHead } from './waterfall-head.tsx'
import { WaterfallRow } from './waterfall-row.tsx'

type Props = {
  /** The output of writeTrace: one string is ten times as fast to serialize as ten columns of numbers. */
  packed: string
  first: TimeWindow
  vitals: VitalView[]
  /** Errors by span id. */
  errors: Record<string, SpanLink[]>
  path: string
}

/** The interactive waterfall: a virtualized tree grid. */
export function Waterfall({ packed, first, vitals, errors, path }: Props) {
  const view = useTraceView(packed, first)
  const { shape, rows, window: time } = view
  const { opened, open, close } = useSpanDetails(path)
  const grid = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const { rowHeight, scrollMargin } = useRowHeight(grid)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
    scrollPaddingStart: 200,
    scrollPaddingEnd: 80,
    initialRect: { width: 1_000, height: 800 },
  })
  const remeasure = useEffectEvent((_height: number) => virtual.measure())
  useEffect(() => remeasure(rowHeight), [rowHeight])

  const scrollTarget = useRef(-1)
  function goTo(row: number): void {
    view.reveal(row)
    scrollTarget.current = row
    grid.current?.focus({ preventScroll: true })
  }
  // The row only has an index to scroll to after the folds around it are open.
  useEffect(() => {
    const index = scrollTarget.current < 0 ? -1 : view.indexOf(scrollTarget.current)
    if (index < 0) return
    scrollTarget.current = -1
    virtual.scrollToIndex(index, { align: 'auto' })
  })

  function show(row: number): void {
    const id = shape.columns.id[row] ?? ''
    view.setCursor(row)
    if (id === '' || shape.columns.kind[row] === 3) return
    history.replaceState(history.state, '', `#span-${id}`)
    void open(id)
  }
  function hide(): void {
    if (!opened) return
    close()
    history.replaceState(history.state, '', window.location.pathname + window.location.search)
    grid.current?.focus({ preventScroll: true })
  }
  function click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null
    const row = Number(target?.closest<HTMLElement>('[data-row]')?.dataset.row ?? -1)
    if (row < 0) return
    if (target?.closest('.tri') || (shape.columns.id[row] ?? '') === '') {
      view.setCursor(row)
      if ((shape.end[row] ?? 0) > row + 1) view.toggle(row)
    } else show(row)
  }

  const followHash = useEffectEvent(() => {
    const id = /^#span-([0-9a-f]{16})$/.exec(window.location.hash)?.[1]
    const row = id === undefined ? undefined : shape.byId.get(id)
    if (id === undefined || row === undefined) return
    goTo(row)
    void open(id)
  })
  useEffect(() => {
    followHash()
    const onHashChange = () => followHash()
    window.addEventListener('hashchange', onHashChange)
    return () => window.removeEventListener('hashchange', onHashChange)
  }, [])
  useTraceCommands({ view, goTo, open: show, close: hide, focusFilter: () => field.current?.focus() })

  const openRow = opened ? (shape.byId.get(opened.id) ?? -1) : -1
  const active = view.cursorRow < 0 ? undefined : rowId(shape.columns.id[view.cursorRow] ?? '', view.cursorRow)
  return (
    <>
      {/* Rendered in this client component, so that its rows are sent once as HTML and not again as RSC data. */}
      <noscript>
        <PlainWaterfall shape={shape} />
      </noscript>
      <div className={openRow >= 0 ? 'wfpage open' : 'wfpage'}>
        <div className="wf">
          <WaterfallHead view={view} vitals={vitals} field={field} onLeave={() => grid.current?.focus()} />
          <div
            ref={grid}
            role="treegrid"
            tabIndex={0}
            className="wfgrid"
            aria-label="Spans"
            aria-rowcount={rows.length}
            aria-activedescendant={active}
            style={{ height: virtual.getTotalSize() }}
            onClick={click}
          >
            <TimeLines vitals={vitals} window={time} />
            {virtual.getVirtualItems().map(({ index, start }) => {
              const row = rows[index]
              if (!row) return null
              const top = { transform: `translateY(${start - scrollMargin}px)` }
              return (
                <div key={index} role="presentation" className="wfslot" style={top}>
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
                      isCursor={row.index === view.cursorRow}
                      isOpen={row.index === openRow}
                    />
                  )}
                </div>
              )
            })}
          </div>
          <footer className="wffoot">
            <Legend />
            <KeyHelp />
          </footer>
        </div>
        {opened && openRow >= 0 ? (
          <SpanDrawer
            shape={shape}
            row={openRow}
            details={opened.details}
            errors={errors[opened.id] ?? []}
            onClose={hide}
            onRetry={() => void open(opened.id)}
          />
        ) : null}
      </div>
    </>
  )
}

const rowId = (id: string, row: number): string => (id === '' ? `row-${row}` : `span-${id}`)
