'use client'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useSpanDetails } from './use-span-details.ts'
import type { TraceView } from './use-trace-view.ts'

const followMs = 150 // longer than the repeat of a held key; browsers also limit how often the URL changes

type Props = { path: string; view: TraceView; grid: RefObject<HTMLElement | null>; goTo: (row: number) => void }

/** The span in the drawer. It is in the hash of the URL, so that a link can open it. */
export function useOpenedSpan({ path, view, grid, goTo }: Props) {
  const { shape } = view
  const { opened, open, close } = useSpanDetails(path)

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

  async function showDetails(row: number, afterMs: number): Promise<void> {
    const id = shape.columns.id[row] ?? ''
    if (id === '' || shape.columns.kind[row] === 3) return
    const isShown = await open(id, afterMs)
    if (isShown) history.replaceState(history.state, '', `#span-${id}`)
  }

  return {
    opened,
    openRow: opened ? (shape.byId.get(opened.id) ?? -1) : -1,
    /** A gap has no details. */
    show(row: number): void {
      view.setCursor(row)
      void showDetails(row, 0)
    },
    /** The cursor moved: an open drawer follows it. */
    follow(row: number): void {
      if (opened) void showDetails(row, followMs)
    },
    hide(): void {
      if (!opened) return
      close()
      history.replaceState(history.state, '', window.location.pathname + window.location.search)
      grid.current?.focus({ preventScroll: true })
    },
    retry: () => void (opened && open(opened.id)),
  }
}
