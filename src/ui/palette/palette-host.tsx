'use client'
import { Suspense, useLayoutEffect, useRef, useState } from 'react'
import { type Command, isAvailable } from '../commands/command.ts'
import { keys } from '../commands/keys.ts'
import { registry } from '../commands/registry.ts'
import { useCommands } from '../commands/use-commands.ts'
import { lazyPart } from '../send/lazy-part.ts'
import { jumpId } from './palette-button.tsx'
import type { PaletteLink } from './palette-entry.ts'

/** Loaded on first use, because most visits don't need it. */
const Palette = lazyPart(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })))

type Props = { links: PaletteLink[]; organizationSlug: string; userId: string }

/** The command palette of every page. Its buttons are elsewhere: on a narrow screen, the rail is hidden. */
export function PaletteHost({ links, organizationSlug, userId }: Props) {
  const [commands, setCommands] = useState<readonly Command[] | null>(null)
  const early = useRef('')
  const close = () => setCommands(null)
  // Listed when it opens: what is available depends on the element that has focus, and the dialog takes it.
  const open = () => {
    if (commands !== null) return
    early.current = ''
    setCommands(registry.list().filter(isAvailable))
  }
  useCommands([{ ...keys.jump, id: jumpId, label: 'Jump to…', kind: 'move', acceptsFocus: () => true, run: open }])
  if (commands === null) return null
  return (
    <Suspense fallback={<EarlyKeys onType={change => (early.current = change(early.current))} onClose={close} />}>
      <Palette
        commands={commands}
        readEarly={() => early.current}
        links={links}
        organizationSlug={organizationSlug}
        userId={userId}
        onClose={close}
      />
    </Suspense>
  )
}

type EarlyProps = { onType: (change: (before: string) => string) => void; onClose: () => void }

/** While the palette is loaded, keys are meant for it: otherwise E would resolve the issue that has focus. */
function EarlyKeys({ onType, onClose }: EarlyProps) {
  const handlers = useRef({ onType, onClose })
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      const { key } = event
      if (key === 'Escape') handlers.current.onClose()
      else if (key === 'Backspace') handlers.current.onType(before => before.slice(0, -1))
      else if (key.length === 1) handlers.current.onType(before => before + key)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  return null
}
