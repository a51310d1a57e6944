'use client'
import { Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { shortcutLabel } from '../commands/command.ts'
import { registry } from '../commands/registry.ts'
import { useCommands } from '../commands/use-commands.ts'
import { listEntries } from './list-entries.ts'
import type { PaletteEntry, PaletteLink } from './palette-entry.ts'

/** Loaded on first use, because most visits don't need it. */
const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))

const jump = { id: 'jump', label: 'Jump to…', kind: 'move', shortcut: 'Mod+k' } as const

/** Opens the command palette, also with ⌘K or Ctrl K. */
export function PaletteButton({ links, base }: { links: PaletteLink[]; base: string }) {
  const [entries, setEntries] = useState<PaletteEntry[] | null>(null)
  // Listed when it opens: what is available depends on the element that has focus, and the dialog takes it.
  const open = () => {
    if (entries === null) setEntries(listEntries(registry.list(), links))
  }
  useCommands([{ ...jump, acceptsFocus: () => true, run: open }])
  return (
    <>
      <button type="button" className="jump with-script" onClick={open}>
        <Search className="i" aria-hidden="true" />
        <span>{jump.label}</span>
        <kbd>{shortcutLabel(jump.shortcut)}</kbd>
      </button>
      {entries ? (
        <Suspense fallback={null}>
          <Palette entries={entries} base={base} onClose={() => setEntries(null)} />
        </Suspense>
      ) : null}
    </>
  )
}
