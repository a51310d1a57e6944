'use client'
import { type Ref, useRef } from 'react'

export type RowFocus = {
  /** The ref of a row's link. */
  linkRef(id: number): Ref<HTMLAnchorElement>
  /** The link of the row that has focus: the cursor. */
  cursor(): { id: number; link: HTMLAnchorElement } | null
  focus(id: number): void
}

/** The focused row is the cursor of the list. */
export function useRowFocus(): RowFocus {
  const links = useRef(new Map<number, HTMLAnchorElement>())
  return {
    linkRef: id => link => {
      if (link) links.current.set(id, link)
      else links.current.delete(id)
    },
    cursor() {
      const id = Number(document.activeElement?.closest<HTMLElement>('[data-issue]')?.dataset.issue)
      const link = links.current.get(id)
      return link ? { id, link } : null
    },
    focus(id) {
      const link = links.current.get(id)
      link?.focus({ preventScroll: true })
      link?.closest('[data-issue]')?.scrollIntoView({ block: 'nearest' })
    },
  }
}
