'use client'
import { useRef } from 'react'
import { useKey } from '../use-key.ts'

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
