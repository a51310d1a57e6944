'use client'
import { useEffect, useRef } from 'react'
import { useIsMac } from '../commands/shortcut-keys.tsx'
import { useCommandList } from '../commands/use-commands.ts'
import { helpRows } from './help-rows.ts'

/** The keyboard shortcuts of the page. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const rows = helpRows(useCommandList(), useIsMac())
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="keyhelp" aria-labelledby="key-help-title" onClose={onClose}>
      <h2 id="key-help-title">Keyboard shortcuts</h2>
      <dl>
        {rows.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" className="btn">
          Close
        </button>
      </form>
    </dialog>
  )
}
