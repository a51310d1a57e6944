'use client'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Selection } from './use-selection.ts'

type Board = RefObject<HTMLFormElement | null>
type ListActions = { selection: Selection; mayChange: boolean; showFresh: () => void }

/** Keyboard shortcuts of the list. The focused row is the cursor; actions apply to the selection, else to that row. */
export function useListKeys(board: Board, { selection, mayChange, showFresh }: ListActions): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const list = board.current
    if (!list || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isElsewhere(event.target))
      return
    const row = document.activeElement?.closest<HTMLElement>('[data-issue]') ?? null
    const act = actionOf(event, list, row)
    if (act === null) return
    event.preventDefault()
    act()
  })

  function actionOf(event: KeyboardEvent, list: HTMLFormElement, row: HTMLElement | null): (() => void) | null {
    const link = row?.querySelector('a')
    const isOnBox = event.target instanceof HTMLInputElement
    switch (event.key.toLowerCase()) {
      case 'j':
      case 'arrowdown':
        return event.key === 'ArrowDown' && !row ? null : () => step(list, row, 1)
      case 'k':
      case 'arrowup':
        return event.key === 'ArrowUp' && !row ? null : () => step(list, row, -1)
      case ' ':
        return link && !isOnBox ? () => link.click() : null
      case 'enter':
        // A full navigation opens the page instead of the peek.
        return link && event.target === link ? () => visit(row, link.href) : null
      case 'x':
        return row ? () => selection.toggle(Number(row.dataset.issue), event.shiftKey) : null
      case 'escape':
        return selection.count > 0 ? selection.clear : null
      case 'r':
        return showFresh
      default:
        return mayChange ? verbOf(event.key, list, row) : null
    }
  }

  function verbOf(key: string, list: HTMLFormElement, row: HTMLElement | null): (() => void) | null {
    const control = list.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
    if (!control || (selection.count === 0 && !row)) return null
    return () => {
      if (selection.count === 0 && row) flushSync(() => selection.toggle(Number(row.dataset.issue), false))
      control.querySelector('summary')?.click()
      if (control instanceof HTMLButtonElement) control.click()
      control.querySelector<HTMLElement>('.pop button')?.focus()
    }
  }

  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Fields, open menus and dialogs handle their own keys. A row's checkbox only handles Space. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.matches('.irow .check')) return false
  return target.closest('input, textarea, select, dialog, [contenteditable], .pop, .peek') !== null
}

function step(list: HTMLFormElement, row: HTMLElement | null, by: 1 | -1): void {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-issue]')]
  const at = row ? rows.indexOf(row) : -1
  const next = rows[row ? Math.min(Math.max(at + by, 0), rows.length - 1) : 0]
  next?.querySelector('a')?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}

function visit(row: HTMLElement | null, href: string): void {
  history.replaceState({ ...(history.state as object | null), issueRow: row?.dataset.issue }, '')
  location.assign(href)
}
