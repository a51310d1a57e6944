'use client'
import { lazy, Suspense, useState } from 'react'
import { keys } from '../commands/keys.ts'
import { registry } from '../commands/registry.ts'
import { useCommands } from '../commands/use-commands.ts'
import { listEntries } from './list-entries.ts'
import { jumpId } from './palette-button.tsx'
import type { PaletteEntry, PaletteLink } from './palette-entry.ts'
import { readRecent, rememberItem } from './recent-items.ts'

/** Loaded on first use, because most visits don't need it. */
const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))

type Props = { links: PaletteLink[]; organizationSlug: string; userId: string }

/** The command palette of every page. Its buttons are elsewhere: on a narrow screen, the rail is hidden. */
export function PaletteHost({ links, organizationSlug, userId }: Props) {
  const [entries, setEntries] = useState<PaletteEntry[] | null>(null)
  const scope = { base: `/${organizationSlug}`, userId }
  // Listed when it opens: what is available depends on the element that has focus, and the dialog takes it.
  const open = () => {
    if (entries === null) setEntries(listEntries(registry.list(), links, readRecent(scope)))
  }
  useCommands([{ ...keys.jump, id: jumpId, label: 'Jump to…', kind: 'move', acceptsFocus: () => true, run: open }])
  if (entries === null) return null
  return (
    <Suspense fallback={null}>
      <Palette
        entries={entries}
        organizationSlug={organizationSlug}
        onOpen={link => rememberItem(scope, link)}
        onClose={() => setEntries(null)}
      />
    </Suspense>
  )
}
