'use client'
import { Search } from 'lucide-react'
import Form from 'next/form'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { parseSearch } from '#search/parse-search.ts'
import { fieldTables, type Language } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { tokenAt } from '#search/token-at.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { SearchFaults, SearchPaint } from './search-paint.tsx'
import type { Suggestion } from './suggest.ts'
import { useSuggestions } from './use-suggestions.ts'

type Props = {
  organizationSlug: string
  /** Decides the search fields and the target page. */
  language: Language
  typed: string
  /** Other parameters of the URL. */
  hiddenFields: Record<string, string>
}

const pages = {
  issues: { path: 'issues', label: 'Search issues', placeholder: 'is:unresolved, tag:value or text' },
  spans: { path: 'traces', label: 'Search spans', placeholder: 'route:/items/[id], duration:>1s or text' },
} satisfies Record<Language, object>

/** A GET form, so that it works without JavaScript. With it, the box suggests terms and shows errors while typing. */
export function SearchBox({ organizationSlug, language, typed, hiddenFields }: Props) {
  const { path, label, placeholder } = pages[language]
  const table = fieldTables[language]
  const [text, setText] = useState(typed)
  const [caret, setCaret] = useState<number | null>(null)
  const [chosen, setChosen] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const paint = useRef<HTMLSpanElement>(null)
  const listId = useId()
  const suggestions = useSuggestions({ organization: organizationSlug, language }, text, caret)
  const isOpen = caret !== null && suggestions.length > 0
  const parsed = parseSearch(text, languageOf(table))
  // A half-typed term is not an error yet: show errors after the search was submitted or the field lost focus.
  const faults = parsed.ok || (caret !== null && text !== typed) ? [] : parsed.faults
  useCommands([{ id: 'search', label: 'Search', kind: 'view', shortcut: '/', run: () => field.current?.select() }])

  function accept({ text: word }: Suggestion): void {
    const token = tokenAt(text, caret ?? text.length, table)
    if (!token) return
    const next = text.slice(0, token.start) + word + text.slice(token.end).trimStart()
    setText(next)
    setChosen(-1)
    const at = token.start + word.length
    setCaret(at)
    requestAnimationFrame(() => field.current?.setSelectionRange(at, at))
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      if (isOpen) event.stopPropagation()
      else field.current?.blur()
      setCaret(null)
      return
    }
    if (!isOpen) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setChosen(before => (before + step + suggestions.length + 1) % (suggestions.length + 1))
    }
    const suggestion = suggestions[chosen] ?? (event.key === 'Tab' && text !== typed ? suggestions[0] : undefined)
    if (suggestion && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      accept(suggestion)
    }
  }

  const updateCaret = () => setCaret(field.current?.selectionStart ?? null)
  return (
    <Form
      action={`/${organizationSlug}/${path}`}
      className="searchform"
      role="search"
      onSubmit={() => setCaret(null)}
      scroll={false}
    >
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className={faults.length > 0 ? 'search wrong' : 'search'}>
        <Search className="i" aria-hidden="true" />
        <span className="typed">
          <span className="behind" ref={paint}>
            <SearchPaint text={text} table={table} parsed={parsed} hasFaults={faults.length > 0} />
          </span>
          <input
            ref={field}
            name="q"
            value={text}
            type="text"
            role="combobox"
            aria-label={label}
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={chosen >= 0 ? `${listId}-${chosen}` : undefined}
            aria-invalid={faults.length > 0 ? true : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={placeholder}
            onChange={event => {
              setText(event.target.value)
              setChosen(-1)
              updateCaret()
            }}
            onFocus={updateCaret}
            onClick={updateCaret}
            onKeyUp={event => (event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? updateCaret() : undefined)}
            onBlur={() => setCaret(null)}
            onKeyDown={onKeyDown}
            onScroll={event => {
              if (paint.current) paint.current.scrollLeft = event.currentTarget.scrollLeft
            }}
          />
        </span>
        <kbd className="hint">/</kbd>
      </div>
      <div id={listId} className="suggest" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
          <div
            key={suggestion.text}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onPointerDown={event => event.preventDefault()}
            onClick={() => accept(suggestion)}
          >
            <span className="cut">{suggestion.label}</span>
            <span className="t3">{suggestion.note}</span>
          </div>
        ))}
      </div>
      <SearchFaults text={text} faults={faults} />
    </Form>
  )
}
