'use client'
import { useEffect, useRef } from 'react'

export type KeyRow = { keys: string[]; does: string }

/** A dialog with the page's keyboard shortcuts. `?` opens it. */
export function KeyHelp({ rows }: { rows: KeyRow[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useKey('?', () => dialog.current?.showModal())
  return (
    <>
      <button type="button" className="keyhint" onClick={() => dialog.current?.showModal()}>
        <kbd>?</kbd> Shortcuts
      </button>
      <dialog ref={dialog} className="keyhelp" aria-labelledby="key-help-title">
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
    </>
  )
}

/** A single-key shortcut. Ignored in fields, in dialogs and with modifiers. */
export function useKey(key: string, act: () => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
      const target = event.target
      if (target instanceof Element && target.closest('input, textarea, select, dialog, [contenteditable]')) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}
