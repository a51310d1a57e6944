'use client'
import { Suspense, useState } from 'react'
import { keys } from '../commands/keys.ts'
import { useCommands } from '../commands/use-commands.ts'
import { lazyPart } from '../send/lazy-part.ts'

/** Loaded on first use, because most visits don't need it. */
const KeyDialog = lazyPart(() => import('./key-dialog.tsx').then(({ KeyDialog }) => ({ default: KeyDialog })))

/** Opens the page's keyboard shortcuts, also with `?`. */
export function KeyHelp() {
  const [isOpen, setOpen] = useState(false)
  const show = () => setOpen(true)
  useCommands([{ ...keys.shortcuts, id: 'shortcuts', label: 'Show shortcuts', kind: 'view', run: show }])
  return (
    <>
      <button type="button" className="keyhint with-script" onClick={show}>
        <kbd>?</kbd> <span>Shortcuts</span>
      </button>
      {isOpen ? (
        <Suspense fallback={null}>
          <KeyDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
