'use client'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { PaletteEntry } from './palette-entry.ts'

type Props = { entries: PaletteEntry[]; base: string; onClose: () => void }

/** A combobox: the input keeps focus, arrows move the cursor, Enter chooses. */
export function Palette({ entries, base, onClose }: Props) {
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [cursor, setCursor] = useState(0)
  const [pageActions] = useState(listPageActions)
  const shown = matchEntries([...pageActions, ...entries], text, base)
  useEffect(() => dialog.current?.showModal(), [])

  function choose(entry: PaletteEntry | undefined) {
    if (!entry) return
    dialog.current?.close()
    if ('href' in entry) router.push(entry.href)
    else document.querySelector<HTMLElement>(entry.press)?.click()
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
            <span className="r">{entry.keys ? <kbd>{entry.keys}</kbd> : entry.note}</span>
          </div>
        ))}
      </div>
    </dialog>
  )
}

/** The form buttons of the page. The palette clicks them, so that it does exactly the same. */
export function listPageActions(): PaletteEntry[] {
  const verbs = 'form.acts button:is([name="change"], [popovertarget]):not(dialog *)'
  const buttons = [...document.querySelectorAll<HTMLButtonElement>(verbs)]
  return buttons.map((button, index) => ({
    id: `page-action-${index}`,
    group: 'This page',
    label: labelOf(button),
    press: `form.acts button${buttonSelector(button)}:not(dialog *)`,
  }))
}

/** A button with a confirmation is selected by its dialog, because the button inside the dialog would act at once. */
function buttonSelector(button: HTMLButtonElement): string {
  const dialog = button.getAttribute('popovertarget')
  return dialog === null
    ? `[name="change"][value="${CSS.escape(button.value)}"]`
    : `[popovertarget="${CSS.escape(dialog)}"]`
}

/** A button in a menu is prefixed with the menu's name: "Archive: For a week". */
function labelOf(button: HTMLButtonElement): string {
  const summary = button.closest('details')?.querySelector('summary')
  const menu = summary?.getAttribute('aria-label') ?? summary?.textContent ?? ''
  const own = (button.getAttribute('aria-label') ?? button.firstChild?.textContent ?? '').trim()
  return menu === '' || menu === 'More actions'
    ? own
    : menu === 'More ways to resolve'
      ? `Resolve: ${own}`
      : `${menu}: ${own}`
}

const maxShown = 12
const maxPageActions = 4

/**
 * The entries that contain every typed word. Entries that start with the text come first. A short id such as WEB-42 adds the issue,
 * and any text adds a search.
 */
export function matchEntries(entries: PaletteEntry[], text: string, base: string): PaletteEntry[] {
  const typed = text.trim()
  if (typed === '') return initialEntries(entries)
  const words = typed.toLowerCase().split(/\s+/)
  const found = entries.filter(entry => words.every(word => wordsOf(entry).includes(word)))
  const isFirst = (entry: PaletteEntry) => entry.label.toLowerCase().startsWith(typed.toLowerCase())
  const sorted = [...found.filter(isFirst), ...found.filter(entry => !isFirst(entry))]
  return [...issueById(typed, base), ...sorted.slice(0, maxShown), searchFor(typed, base)]
}

/** Before anything is typed: a few actions of the page, then everything else. */
function initialEntries(entries: PaletteEntry[]): PaletteEntry[] {
  const actions = entries.filter(({ group }) => group === 'This page').slice(0, maxPageActions)
  return [...actions, ...entries.filter(({ group }) => group !== 'This page')].slice(0, maxShown)
}

const wordsOf = ({ label, note = '' }: PaletteEntry) => `${label} ${note}`.toLowerCase()

function issueById(typed: string, base: string): PaletteEntry[] {
  if (!/^(?:[a-z0-9-]+-)?\d{1,9}$/i.test(typed)) return []
  return [{ id: 'issue', group: 'Go to', label: `Issue ${typed.toUpperCase()}`, href: `${base}/issues/${typed}` }]
}

function searchFor(typed: string, base: string): PaletteEntry {
  const href = `${base}/issues?q=${encodeURIComponent(typed)}`
  return { id: 'search', group: 'Go to', label: `Search issues for “${typed.slice(0, 60)}”`, href }
}
