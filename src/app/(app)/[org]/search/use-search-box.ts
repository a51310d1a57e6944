'use client'
import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Language } from '#search/field-tables.ts'
import type { Suggestion } from './suggest.ts'
import { useSearchHelp } from './use-search-help.ts'
import { useSuggestions } from './use-suggestions.ts'

type Props = { organizationSlug: string; language: Language; typed: string }

/** The text, the caret, the suggestions for the term at the caret, and the keys that choose one. */
export function useSearchBox({ organizationSlug, language, typed }: Props) {
  const [text, setText] = useState(typed)
  const [caret, setCaret] = useState<number | null>(null)
  const [chosen, setChosen] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const help = useSearchHelp(caret !== null)
  const token = help === null || caret === null ? null : help.tokenAt(text, caret, language)
  const suggestions = useSuggestions({ organization: organizationSlug, language }, help, token)
  const isOpen = caret !== null && suggestions.length > 0
  const updateCaret = () => setCaret(field.current?.selectionStart ?? null)
  const leave = () => setCaret(null)

  function type(next: string): void {
    setText(next)
    setChosen(-1)
    updateCaret()
  }

  /** Replaces the term at the caret. A space follows it, except within a list and before a parenthesis. */
  function accept({ text: word }: Suggestion): void {
    if (token === null) return
    const rest = text.slice(token.end).trimStart()
    const isInside = (token.kind === 'value' && token.isInList) || rest.startsWith(')')
    const placed = isInside ? word.trimEnd() : word
    const at = token.start + placed.length
    // At once: the next key may come before the next picture.
    flushSync(() => {
      setText(text.slice(0, token.start) + placed + rest)
      setChosen(-1)
      setCaret(at)
    })
    field.current?.setSelectionRange(at, at)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      if (isOpen) event.stopPropagation()
      else field.current?.blur()
      leave()
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

  return {
    field,
    text,
    help,
    type,
    /** The text differs from the submitted one and may be half-typed. */
    isTyping: caret !== null && text !== typed,
    updateCaret,
    leave,
    onKeyDown,
    suggestions,
    isOpen,
    chosen,
    accept,
  }
}
