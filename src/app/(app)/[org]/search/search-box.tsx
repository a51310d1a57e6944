'use client'
import { Search } from 'lucide-react'
import { useId, useRef } from 'react'
import { formatWhole } from '#lib/format-whole.ts'
import type { Language } from '#search/field-tables.ts'
import { keys } from '#ui/commands/keys.ts'
import { ShortcutKeys } from '#ui/commands/shortcut-keys.tsx'
import { useCommands } from '#ui/commands/use-commands.ts'
import { GetForm } from '#ui/get-form.tsx'
import type { SearchReading } from './read-search.ts'
import { SearchFaults, SearchHints, SearchPaint } from './search-paint.tsx'
import { optionId, SuggestionList } from './suggestion-list.tsx'
import { useSearchBox } from './use-search-box.ts'

export type SearchBoxProps = {
  organizationSlug: string
  /** The page that is searched, and the parameter that it reads. */
  target?: { path: string; parameter: string; label?: string }
  typed: string
  /** Other parameters of the URL. */
  hiddenFields: Record<string, string>
  /** How much was found; null if unknown. */
  found?: number | null
}

type Props = SearchBoxProps & {
  language: Language
  /** How the server reads `typed`. */
  reading: SearchReading
  /** What is searched where there is no `target`. */
  page: { path: string; label: string; placeholder: string }
}

/** A GET form, so that it works without JavaScript. With it, the box suggests terms and shows errors while typing. */
export function SearchBox({
  organizationSlug,
  language,
  reading,
  page,
  target,
  typed,
  hiddenFields,
  found = null,
}: Props) {
  const label = target?.label ?? page.label
  const { path, parameter } = target ?? { path: `/${organizationSlug}/${page.path}`, parameter: 'q' }
  const box = useSearchBox({ organizationSlug, language, typed })
  const paint = useRef<HTMLSpanElement>(null)
  const listId = useId()
  const read = box.text === typed ? reading : (box.help?.readSearch(box.text, language) ?? unread)
  // A half-typed term is not an error yet: show errors after the search was submitted or the field lost focus.
  const faults = box.isTyping ? [] : read.faults
  useCommands([{ ...keys.search, id: 'search', label: 'Search', kind: 'view', run: () => box.field.current?.select() }])
  return (
    <GetForm action={path} className="searchform" role="search" onSubmit={box.leave}>
      {Object.entries(hiddenFields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className={faults.length > 0 ? 'search wrong' : 'search'}>
        <Search className="i" aria-hidden="true" />
        <span className="typed">
          <span className="behind" ref={paint}>
            <SearchPaint text={box.text} tints={read.tints} faults={faults} />
          </span>
          <input
            ref={box.field}
            name={parameter}
            value={box.text}
            type="text"
            role="combobox"
            aria-label={label}
            aria-expanded={box.isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={box.chosen >= 0 ? optionId(listId, box.chosen) : undefined}
            aria-invalid={faults.length > 0 ? true : undefined}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={page.placeholder}
            onChange={event => box.type(event.target.value)}
            onFocus={box.updateCaret}
            onClick={box.updateCaret}
            onKeyUp={event => (event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? box.updateCaret() : undefined)}
            onBlur={box.leave}
            onKeyDown={box.onKeyDown}
            onScroll={event => {
              if (paint.current) paint.current.scrollLeft = event.currentTarget.scrollLeft
            }}
          />
        </span>
        {found === null ? null : <output className="found">{formatWhole(found)} found</output>}
        <ShortcutKeys className="hint" shortcut={keys.search.shortcut} />
      </div>
      <SuggestionList
        id={listId}
        suggestions={box.suggestions}
        isOpen={box.isOpen}
        chosen={box.chosen}
        onAccept={box.accept}
      />
      <SearchFaults text={box.text} faults={faults} />
      <SearchHints
        text={box.text}
        hints={box.isTyping ? [] : read.hints}
        hrefOf={text => `${path}?${new URLSearchParams({ ...hiddenFields, [parameter]: text })}`}
      />
    </GetForm>
  )
}

/** What was typed before the language was loaded. */
const unread: SearchReading = { tints: [], faults: [], hints: [] }
