'use client'
import { useEffect, useRef } from 'react'

export type KeyRow = { keys: string[]; does: string }

/** All keys of a page, behind `?`. */
export function KeyHelp({ rows }: { rows: KeyRow[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useKey('?', () => dialog.current?.showModal())
  return (
    <>
      <button type="button" className="keyhint" onClick={() => dialog.current?.showModal()}>
        <kbd>?</kbd> all keys
      </button>
      <dialog ref={dialog} className="keyhelp" aria-labelledby="key-help-title">
        <h2 id="key-help-title">Keys</h2>
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

/** A single key, off inside fields, in dialogs and with modifiers. */
export function useKey(key: string, act: () => void) {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== key || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
      const target = event.target
      if (target instanceof Element && target.closest('input, textarea, select, dialog, [contenteditable]')) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  })
}
