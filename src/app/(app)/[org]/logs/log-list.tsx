'use client'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useIsBrowser } from '#ui/use-is-browser.ts'
import type { LineView } from './line-view.ts'
import { LogRow } from './log-row.tsx'
import styles from './logs.module.css'
import { OpenLine, type PageAddress } from './open-line.tsx'

type Props = {
  lines: readonly LineView[]
  address: PageAddress
  columns: readonly string[]
  hasDate: boolean
  /** Called when the end of the lines comes near. */
  onEnd?: () => void
  /** Keys of lines that have just arrived. */
  fresh?: ReadonlySet<string>
}

/** Lines, one row each; only those near the screen are drawn. One tab stop: arrows move, Enter opens. */
export function LogList({ lines, address, columns, hasDate, onEnd, fresh }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [cursor, setCursor] = useState(lines[0]?.key ?? '')
  const [margin, setMargin] = useState(0)
  const isBrowser = useIsBrowser()
  useLayoutEffect(() => {
    const measure = () => setMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => rowHeight,
    getItemKey: index => lines[index]?.key ?? index,
    overscan: 20,
    scrollMargin: margin,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 80,
    enabled: isBrowser,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const isAtEnd = isBrowser && last >= lines.length - nearEnd
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd])

  const focusTarget = useRef(-1)
  // The row is only there to focus after the list has scrolled to it.
  useEffect(() => {
    if (focusTarget.current < 0) return
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${focusTarget.current}"]`)
    if (!row) return
    focusTarget.current = -1
    row.focus({ preventScroll: true })
  })

  function toggle(key: string): void {
    setCursor(key)
    setOpened(before => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }

  function onClick(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest('[data-row]') : null
    const line = row ? lines[Number(row.getAttribute('data-row'))] : undefined
    // A selection ends with a click, which should not open what was selected.
    if (line && window.getSelection()?.isCollapsed !== false) toggle(line.key)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = event.target instanceof Element ? event.target.closest('[data-row]') : null
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return
    const at = Number(row.getAttribute('data-row'))
    const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }
    const step = steps[event.key]
    const to = step === undefined ? undefined : lines[at + step]
    if (!to || step === undefined) return
    event.preventDefault()
    setCursor(to.key)
    focusTarget.current = at + step
    virtual.scrollToIndex(at + step, { align: 'auto' })
  }

  const cursorIndex = Math.max(
    0,
    lines.findIndex(({ key }) => key === cursor),
  )
  const rows = isBrowser
    ? items.map(({ index, start }) => ({ index, top: start - margin }))
    : lines.map((_, index) => ({ index, top: null }))
  return (
    <ol
      ref={list}
      className={styles.list}
      aria-label="Log lines"
      onClick={onClick}
      onKeyDown={onKeyDown}
      style={
        {
          '--columns': `repeat(${columns.length}, minmax(0, var(--column)))`,
          ...(isBrowser ? { height: virtual.getTotalSize() } : {}),
        } as React.CSSProperties
      }
    >
      {rows.map(({ index, top }) => {
        const line = lines[index]
        if (!line) return null
        const isOpen = opened.has(line.key)
        return (
          <li
            key={line.key}
            ref={isBrowser ? virtual.measureElement : undefined}
            data-index={index}
            aria-setsize={-1}
            aria-posinset={index + 1}
            style={
              top === null
                ? undefined
                : { position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${top}px)` }
            }
          >
            <LogRow
              line={line}
              index={index}
              base={address.base}
              isOpen={isOpen}
              isCursor={index === cursorIndex}
              hasDate={hasDate}
              hasTraces
              isNew={fresh?.has(line.key) ?? false}
            />
            {isOpen ? <OpenLine line={line} address={address} /> : null}
          </li>
        )
      })}
    </ol>
  )
}

const rowHeight = 26
const nearEnd = 30
