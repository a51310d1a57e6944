'use client'
import { type RefCallback, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { nearestRow } from '#ui/issue-list/hold-rows.ts'

export type RowFocus = {
  /** The ref of a row's link. */
  linkRef(id: number): RefCallback<HTMLAnchorElement>
  /** The link of the row that has focus: the cursor. */
  cursor(): { id: number; link: HTMLAnchorElement } | null
  /** The cursor, or the row that was it, if focus is nowhere: a list that changes while the palette is open may lose it. */
  aimed(): number | null
  /** The row that had focus last. */
  last(): number | null
  focus(id: number): void
  /** Focuses the first of these rows as soon as it is there, unless the reader moves on before. */
  expect(ids: readonly number[]): void
  /** Gets focus when the last row has left. */
  empty: RefObject<HTMLElement | null>
}

/**
 * The focused row is the cursor of the list. When it leaves, whatever the reason and however late, focus goes to the next row that is
 * still there: a browser would move it to the top of the page.
 */
export function useRowFocus(list: string, ids: readonly number[], onEmpty: () => void): RowFocus {
  const links = useRef(new Map<number, HTMLAnchorElement>())
  /** The same for every render, so that it does not make a row render again. */
  const refs = useRef(new Map<number, RefCallback<HTMLAnchorElement>>())
  const empty = useRef<HTMLElement>(null)
  const last = useRef<number | null>(null)
  const expected = useRef<readonly number[]>([])
  const order = useRef(ids)
  const orderOf = useRef(list)

  function focus(id: number): void {
    const link = links.current.get(id)
    link?.focus({ preventScroll: true })
    link?.closest('[data-issue]')?.scrollIntoView({ block: 'nearest' })
  }
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent) => {
      const row = rowOf(target)
      if (row !== null) last.current = row
      expected.current = []
    }
    document.addEventListener('focusin', onFocusIn)
    return () => document.removeEventListener('focusin', onFocusIn)
  }, [])
  const shown = ids.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the rows can take the focus away
  useLayoutEffect(() => {
    const before = order.current
    order.current = ids
    if (orderOf.current !== list) {
      // Whoever asks for another list is not in its rows yet.
      orderOf.current = list
      last.current = null
      expected.current = []
      return
    }
    const back = ids.find(id => expected.current.includes(id))
    if (back !== undefined) return focus(back)
    const from = last.current
    if (from === null || ids.includes(from) || !isFocusLost()) return
    const to = nearestRow(before, from, id => ids.includes(id))
    if (to !== null) return focus(to)
    empty.current?.focus()
    onEmpty()
  }, [list, shown])

  function cursor() {
    const id = rowOf(document.activeElement)
    const link = id === null ? undefined : links.current.get(id)
    return id !== null && link ? { id, link } : null
  }

  return {
    empty,
    linkRef(id) {
      const known = refs.current.get(id)
      if (known) return known
      const ref = (link: HTMLAnchorElement | null) => {
        if (link) return void links.current.set(id, link)
        links.current.delete(id)
        refs.current.delete(id)
      }
      refs.current.set(id, ref)
      return ref
    },
    cursor,
    aimed() {
      const found = cursor()
      if (found) return found.id
      return last.current !== null && isFocusLost() && links.current.has(last.current) ? last.current : null
    },
    last: () => last.current,
    focus,
    expect(wanted) {
      const back = order.current.find(id => wanted.includes(id))
      if (back !== undefined) focus(back)
      else expected.current = wanted
    },
  }
}

function rowOf(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-issue]') : null
  return row ? Number(row.dataset.issue) : null
}

/** Focus is nowhere, or on something that was hidden. */
function isFocusLost(): boolean {
  const focused = document.activeElement
  return focused === null || focused === document.body || !focused.checkVisibility()
}
