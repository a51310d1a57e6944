'use client'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Command } from '../commands/command.ts'
import { ShortcutKeys } from '../commands/shortcut-keys.tsx'
import { useNavigate } from '../navigation.tsx'
import { listEntries, matchEntries } from './list-entries.ts'
import type { PaletteEntry, PaletteLink } from './palette-entry.ts'
import { readRecent, rememberItem } from './recent-items.ts'
import { type PaletteSearch, usePaletteSearch } from './use-palette-search.ts'

type Props = {
  /** Those that were available when it opened. */
  commands: readonly Command[]
  /** What was typed before it was there. */
  readEarly: () => string
  links: PaletteLink[]
  organizationSlug: string
  userId: string
  onClose: () => void
}

const label = 'Page, project, issue or action'

/** A combobox: the input keeps focus, arrows move the cursor, Enter chooses. */
export function Palette({ commands, readEarly, links, organizationSlug, userId, onClose }: Props) {
  const navigate = useNavigate()
  const scope = { base: `/${organizationSlug}`, userId }
  const [entries] = useState(() => listEntries(commands, links, readRecent(scope)))
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState(readEarly)
  // By id: results that arrive later must not move another entry under the cursor.
  const [cursorId, setCursorId] = useState<string | null>(null)
  const search = usePaletteSearch(organizationSlug, text)
  const known = matchEntries(entries, text, `/${organizationSlug}`)
  const hrefs = new Set(known.flatMap(entry => ('href' in entry ? [entry.href] : [])))
  const shown: PaletteEntry[] = [...known, ...search.results.filter(({ href }) => !hrefs.has(href))]
  const cursor = Math.max(
    0,
    shown.findIndex(({ id }) => id === cursorId),
  )
  const current = shown[cursor]
  // With the first frame: a key that is pressed before it would be one of the page.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (cursorId) document.getElementById(optionId(cursorId))?.scrollIntoView({ block: 'nearest' })
  }, [cursorId])

  function choose(entry: PaletteEntry | undefined) {
    if (!entry) return
    // Gives focus back first: a command may act on the focused row.
    dialog.current?.close()
    if ('run' in entry) return entry.run()
    const { id, label: name, note = '', href } = entry
    if (id !== 'search') rememberItem(scope, { id, label: name, note, href })
    // A whole page: beside a list, the router would open an issue as a peek.
    const issues = `/${organizationSlug}/issues`
    if (location.pathname.startsWith(issues) && href.startsWith(`${issues}/`)) location.assign(href)
    else navigate(href, { isScrolling: true })
  }
  function onKeyDown(event: KeyboardEvent) {
    const last = shown.length - 1
    const moves: Record<string, number> = {
      ArrowDown: cursor === last ? 0 : cursor + 1,
      ArrowUp: cursor === 0 ? last : cursor - 1,
      PageDown: Math.min(cursor + pageSize, last),
      PageUp: Math.max(cursor - pageSize, 0),
    }
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined
    if (to !== undefined) {
      event.preventDefault()
      setCursorId(shown[to]?.id ?? null)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(current)
    }
  }
  return (
    <dialog ref={dialog} className="pal" aria-label="Jump to" onClose={onClose}>
      <div className="in">
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={current ? optionId(current.id) : undefined}
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={event => {
            setText(event.target.value)
            setCursorId(null)
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className="btn plain s" onClick={() => dialog.current?.close()}>
          Close <ShortcutKeys shortcut="Escape" />
        </button>
      </div>
      <div id="palette-list" role="listbox" aria-label="Matches" aria-busy={search.state === 'searching'}>
        {shown.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys, as in any combobox
          <div
            key={entry.id}
            id={optionId(entry.id)}
            role="option"
            tabIndex={-1}
            aria-selected={index === cursor}
            onPointerMove={() => setCursorId(entry.id)}
            onClick={() => choose(entry)}
          >
            <span className="g">{entry.group}</span>
            {entry.group === 'Issue' ? (
              <span className="two">
                <span className="cut">{markWords(entry.label, search.words)}</span>
                {entry.detail ? <span className="cut t3">{markWords(entry.detail, search.words)}</span> : null}
              </span>
            ) : (
              <span className="cut">{entry.label}</span>
            )}
            <span className="r">
              {entry.note} {entry.shortcut ? <ShortcutKeys shortcut={entry.shortcut} /> : null}
            </span>
          </div>
        ))}
      </div>
      <p className="say" role="status">
        {searchWords(search)}
      </p>
    </dialog>
  )
}

const pageSize = 8
/** Every typed word in a text, in upper and lower case. */
function markWords(text: string, words: readonly string[]): ReactNode {
  const lower = text.toLowerCase()
  const parts: ReactNode[] = []
  for (let at = 0; at < text.length; ) {
    const next = words
      .map(word => ({ word, start: lower.indexOf(word, at) }))
      .filter(({ start }) => start !== -1)
      .sort((a, b) => a.start - b.start || b.word.length - a.word.length)[0]
    if (next === undefined) return [...parts, text.slice(at)]
    const end = next.start + next.word.length
    parts.push(text.slice(at, next.start), <mark key={end}>{text.slice(next.start, end)}</mark>)
    at = end
  }
  return parts
}

const optionId = (id: string): string => `palette-${id}`

function searchWords({ state, results }: PaletteSearch): string {
  if (state === 'searching') return 'Searching…'
  if (state === 'failed') return 'Couldn’t search issues, routes, releases and users. Type again to retry.'
  if (state === 'partial') return 'A database did not respond, so results may be missing. Type again to retry.'
  return state === 'found' && results.length === 0 ? 'No issue, route, release or user found.' : ''
}
