'use client'
import { lazy, Suspense, useState } from 'react'
import { type Command, isAvailable } from '../commands/command.ts'
import { keys } from '../commands/keys.ts'
import { registry } from '../commands/registry.ts'
import { useCommands } from '../commands/use-commands.ts'
import { jumpId } from './palette-button.tsx'
import type { PaletteLink } from './palette-entry.ts'

/** Loaded on first use, because most visits don't need it. */
const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))

type Props = { links: PaletteLink[]; organizationSlug: string; userId: string }

/** The command palette of every page. Its buttons are elsewhere: on a narrow screen, the rail is hidden. */
export function PaletteHost({ links, organizationSlug, userId }: Props) {
  const [commands, setCommands] = useState<readonly Command[] | null>(null)
  // Listed when it opens: what is available depends on the element that has focus, and the dialog takes it.
  const open = () => {
    if (commands === null) setCommands(registry.list().filter(isAvailable))
  }
  useCommands([{ ...keys.jump, id: jumpId, label: 'Jump to…', kind: 'move', acceptsFocus: () => true, run: open }])
  if (commands === null) return null
  return (
    <Suspense fallback={null}>
      <Palette
        commands={commands}
        links={links}
        organizationSlug={organizationSlug}
        userId={userId}
        onClose={() => setCommands(null)}
      />
    </Suspense>
  )
}
