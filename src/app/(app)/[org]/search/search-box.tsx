'use client'
import { Search } from 'lucide-react'
import Form from 'next/form'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { parseSearch } from '#search/parse-search.ts'
import { fieldTables, type Language } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { tokenAt } from '#search/token-at.ts'
import { useKey } from '#ui/keys/key-help.tsx'
import { SearchFaults, SearchPaint } from './search-paint.tsx'
import type { Suggestion } from './suggest.ts'
import { useSuggestions } from './use-suggestions.ts'

type Props = {
  organizationSlug: string
  /** What is searched: it decides the words, and where the form leads. */
  language: Language
  typed: string
  kept: Record<string, string>
}

const pages = {
  issues: { path: 'issues', label: 'Search issues', placeholder: 'Search: is:unresolved, a tag:value, or words' },
  spans: { path: 'traces', label: 'Search spans', placeholder: 'Search: route:/items/[id], duration:>1s, or words' },
} satisfies Record<Language, object>

/** A form that asks by its address, so that it works without script; with it, words are suggested and faults shown while typing. */
export function SearchBox({ organizationSlug, language, typed, kept }: Props) {
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
  // A half-typed term is no mistake yet: faults wait until the search was asked, or the field is left.
  const faults = parsed.ok || (caret !== null && text !== typed) ? [] : parsed.faults
  useKey('/', () => field.current?.select())

  function take({ text: word }: Suggestion): void {
    const token = tokenAt(text, caret ?? text.length, table)
    if (!token) return
    const next = text.slice(0, token.start) + word + text.slice(token.end).trimStart()
    setText(next)
    setChosen(-1)
    const at = token.start + word.length
    setCaret(at)
    requestAnimationFrame(() => field.current?.setSelectionRange(at, at))
  }

  function press(event: KeyboardEvent): void {
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
      take(suggestion)
    }
  }

  const follow = () => setCaret(field.current?.selectionStart ?? null)
  return (
    <Form
      action={`/${organizationSlug}/${path}`}
      className="searchform"
      role="search"
      onSubmit={() => setCaret(null)}
      scroll={false}
    >
      {Object.entries(kept).map(([name, value]) => (
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
              follow()
            }}
            onFocus={follow}
            onClick={follow}
            onKeyUp={event => (event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? follow() : undefined)}
            onBlur={() => setCaret(null)}
            onKeyDown={press}
            onScroll={event => {
              if (paint.current) paint.current.scrollLeft = event.currentTarget.scrollLeft
            }}
          />
        </span>
        <kbd className="hint">/</kbd>
      </div>
      <div id={listId} className="suggest" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field, which keeps the focus
          <div
            key={suggestion.text}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onPointerDown={event => event.preventDefault()}
            onClick={() => take(suggestion)}
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
