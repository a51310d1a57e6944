'use client'
import { useRef } from 'react'
import { KeyHelp } from '../keys/key-help.tsx'
import { Legend } from './op-family.tsx'
import { PlainWaterfall } from './plain-waterfall.tsx'
import type { VitalView } from './ruler.tsx'
import type { SpanLink } from './span-body.tsx'
import { SpanDrawer } from './span-drawer.tsx'
import { useOpenedSpan } from './use-opened-span.ts'
import { useTraceCommands } from './use-trace-commands.ts'
import { type TimeWindow, useTraceView } from './use-trace-view.ts'
import { useTreeWidth } from './use-tree-width.ts'
import { useVirtualRows } from './use-virtual-rows.ts'
import { WaterfallGrid } from './waterfall-grid.tsx'
import { WaterfallHead } from './waterfall-head.tsx'

type Props = {
  /** The output of writeTrace: one string is ten times as fast to serialize as ten columns of numbers. */
  packed: string
  first: TimeWindow
  vitals: VitalView[]
  /** Errors by span id. */
  errors: Record<string, SpanLink[]>
  path: string
}

/** The interactive waterfall: head with filter and minimap, rows, and a drawer with the opened span. */
export function Waterfall({ packed, first, vitals, errors, path }: Props) {
  const view = useTraceView(packed, first)
  const grid = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const virtual = useVirtualRows(grid, view)
  const { goTo } = virtual
  const { opened, openRow, show, follow, hide, retry } = useOpenedSpan({ path, view, grid, goTo })
  const tree = useTreeWidth()
  useTraceCommands({
    view,
    goTo(row) {
      goTo(row)
      follow(row)
    },
    open: show,
    close: hide,
    focusFilter: () => field.current?.focus(),
  })
  return (
    <>
      {/* Rendered in this client component, so that its rows are sent once as HTML and not again as RSC data. */}
      <noscript>
        <PlainWaterfall shape={view.shape} />
      </noscript>
      <div className={openRow >= 0 ? 'wfpage open' : 'wfpage'}>
        <div className="wf" style={tree.style}>
          {/* biome-ignore lint/a11y/useSemanticElements: a rule can't be moved */}
          <div
            role="separator"
            tabIndex={0}
            className="wfsplit"
            aria-orientation="vertical"
            aria-label="Width of the name column"
            aria-valuenow={tree.px}
            {...tree.separator}
          />
          <WaterfallHead view={view} vitals={vitals} field={field} onLeave={() => grid.current?.focus()} />
          <WaterfallGrid {...{ grid, view, virtual, vitals, openRow }} onShow={show} />
          <footer className="wffoot">
            <Legend />
            <KeyHelp />
          </footer>
        </div>
        {opened && openRow >= 0 ? (
          <SpanDrawer
            shape={view.shape}
            row={openRow}
            details={opened.details}
            errors={errors[opened.id] ?? []}
            onClose={hide}
            onRetry={retry}
          />
        ) : null}
      </div>
    </>
  )
}
