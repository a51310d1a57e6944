'use client'
import { useEffect, useState } from 'react'
import { tokenAt } from '#search/token-at.ts'
import { type Suggestion, suggestKnown, suggestReceived, type ValueScope } from './suggest.ts'

const debounceMs = 120 // the pause between two keys of a fast typist

/** Suggestions at the caret: known terms at once, stored values after a debounce. */
export function useSuggestions(
  { organization, language, table }: ValueScope,
  text: string,
  caret: number | null,
): Suggestion[] {
  const [received, setReceived] = useState<{ for: string; list: Suggestion[] }>({ for: '', list: [] })
  const token = caret === null ? null : tokenAt(text, caret, table)
  const name = token ? JSON.stringify(token) : ''
  useEffect(() => {
    if (name === '') return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      suggestReceived({ organization, language, table }, JSON.parse(name), stop.signal)
        .then(list => setReceived({ for: name, list }))
        // Aborted or failed: the known terms are still shown.
        .catch(() => {})
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [organization, language, table, name])
  if (!token) return []
  const known = suggestKnown(token, table)
  const taken = new Set(known.map(({ text: each }) => each))
  return [...known, ...(received.for === name ? received.list.filter(({ text: each }) => !taken.has(each)) : [])].slice(
    0,
    12,
  )
}
