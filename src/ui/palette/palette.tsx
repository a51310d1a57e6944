'use client'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { matchEntries } from './list-entries.ts'
import type { PaletteEntry } from './palette-entry.ts'

type Props = { entries: PaletteEntry[]; base: string; onClose: () => void }

/** A combobox: the input keeps focus, arrows move the cursor, Enter chooses. */
export function Palette({ entries, base, onClose }: Props) {
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [cursor, setCursor] = useState(0)
  const shown = matchEntries(entries, text, base)
  useEffect(() => dialog.current?.showModal(), [])

  function choose(entry: PaletteEntry | undefined) {
    if (!entry) return
    // Gives focus back first: a command may act on the focused row.
    dialog.current?.close()
    if ('href' in entry) router.push(entry.href)
    else entry.run()
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setCursor((cursor + step + shown.length) % Math.max(1, shown.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      choose(shown[cursor])
    }
  }
  return (
    <dialog ref={dialog} className="pal" aria-label="Jump to" onClose={onClose}>
      <div className="in">
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={shown[cursor] ? `palette-${shown[cursor].id}` : undefined}
          aria-label="Page, project, issue or action"
          placeholder="Page, project, issue or action"
          value={text}
          onChange={event => {
            setText(event.target.value)
            setCursor(0)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div id="palette-list" role="listbox" aria-label="Matches">
        {shown.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys, as in any combobox
          <div
            key={entry.id}
            id={`palette-${entry.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === cursor}
            onPointerMove={() => setCursor(index)}
            onClick={() => choose(entry)}
          >
            <span className="g">{entry.group}</span>
            <span className="cut">{entry.label}</span>
            <span className="r">
              {entry.note} {entry.keys ? <kbd>{entry.keys}</kbd> : null}
            </span>
          </div>
        ))}
      </div>
    </dialog>
  )
}
