'use client'
import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { PaletteEntry } from './palette-entry.ts'

/** Loaded on first use, because most visits don't need it. */
const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))

/** Opens the command palette, also with ⌘K or Ctrl K. */
export function PaletteButton({ entries, base }: { entries: PaletteEntry[]; base: string }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button type="button" className="jump with-script" onClick={() => setOpen(true)}>
        <Search className="i" aria-hidden="true" />
        <span>Jump to…</span>
        <kbd>⌘K</kbd>
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <Palette entries={entries} base={base} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
