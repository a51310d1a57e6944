'use client'
import { useEffect, useState } from 'react'
import type { TokenAt } from '#search/token-at.ts'
import type { SearchHelp } from './search-help.ts'
import type { Suggestion, ValueScope } from './suggest.ts'

const debounceMs = 120 // the pause between two keys of a fast typist

/** Suggestions for the term at the caret: known terms at once, stored values after a debounce. */
export function useSuggestions(
  { organization, language }: ValueScope,
  help: SearchHelp | null,
  token: TokenAt | null,
): Suggestion[] {
  const [received, setReceived] = useState<{ for: string; list: Suggestion[] }>({ for: '', list: [] })
  const name = token ? JSON.stringify(token) : ''
  useEffect(() => {
    if (help === null || name === '') return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      help
        .suggestReceived({ organization, language }, JSON.parse(name), stop.signal)
        .then(list => setReceived({ for: name, list }))
        // Aborted or failed: the known terms are still shown.
        .catch(() => {})
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [organization, language, help, name])
  if (help === null || token === null) return []
  const known = help.suggestKnown(token, language)
  const taken = new Set(known.map(({ text: each }) => each))
  return [...known, ...(received.for === name ? received.list.filter(({ text: each }) => !taken.has(each)) : [])].slice(
    0,
    12,
  )
}
