'use client'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import type { Suggestion } from '../../search/suggest.ts'

const debounceMs = 120 // the pause between two keys of a fast typist
const maxTyped = 40

/** The `@` before the caret and what follows it, of at most three words. */
export function mentionAt(text: string, caret: number): { start: number; prefix: string } | null {
  const before = text.slice(Math.max(0, caret - maxTyped - 2), caret)
  const [, prefix] = /(?:^|[^\p{L}\p{N}_@])@([^\s@]*(?: [^\s@]+){0,2} ?)$/u.exec(before) ?? []
  return prefix === undefined ? null : { start: caret - prefix.length, prefix }
}

/** Suggests members and teams while a mention is typed into a text area, which keeps its own text. */
export function useMentions(organizationSlug: string, field: RefObject<HTMLTextAreaElement | null>) {
  const [prefix, setPrefix] = useState<string | null>(null)
  const [found, setFound] = useState<{ for: string; list: Suggestion[] }>({ for: '', list: [] })
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    if (prefix === null) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      requestMentions(organizationSlug, prefix, stop.signal)
        .then(list => setFound({ for: prefix, list }))
        // Aborted or failed: a mention can be typed in full.
        .catch(() => {})
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [organizationSlug, prefix])
  // Until the list for the longer prefix is there, the one before it stays.
  const suggestions = prefix?.startsWith(found.for) ? found.list : []
  const isOpen = prefix !== null && suggestions.length > 0
  const close = () => setPrefix(null)

  function update(): void {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    setPrefix(selectionStart === selectionEnd ? (mentionAt(value, selectionStart)?.prefix ?? null) : null)
    setChosen(0)
  }

  function accept({ text }: Suggestion): void {
    const area = field.current
    const at = area && mentionAt(area.value, area.selectionStart)
    if (!at) return
    area.setRangeText(`${text} `, at.start, area.selectionStart, 'end')
    close()
  }

  /** Whether the key was for the suggestions. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (!isOpen || event.ctrlKey || event.metaKey) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const suggestion = suggestions[chosen]
    if (step !== undefined) setChosen((chosen + step + suggestions.length) % suggestions.length)
    else if (event.key === 'Escape') close()
    else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion) accept(suggestion)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return { suggestions, isOpen, chosen, update, close, accept, onKeyDown }
}

async function requestMentions(org: string, prefix: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await fetch(`/api/search-values?${new URLSearchParams({ org, of: 'mentions', prefix })}`, { signal })
  if (!response.ok) return []
  const people: { handle: string; note: string }[] = await response.json()
  return people.map(({ handle, note }) => ({ text: handle, label: handle, note }))
}
