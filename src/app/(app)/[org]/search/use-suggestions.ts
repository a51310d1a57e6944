'use client'
import { useEffect, useState } from 'react'
import { fieldTables } from '#search/search-fields.ts'
import { tokenAt } from '#search/token-at.ts'
import { type Asker, type Suggestion, suggestKnown, suggestReceived } from './suggest.ts'

const pauseMs = 120 // between two letters of a quick typist

/** What could be meant at the caret: known words at once, received values a moment later. */
export function useSuggestions({ organization, language }: Asker, text: string, caret: number | null): Suggestion[] {
  const [received, setReceived] = useState<{ for: string; list: Suggestion[] }>({ for: '', list: [] })
  const token = caret === null ? null : tokenAt(text, caret, fieldTables[language])
  const name = token ? JSON.stringify(token) : ''
  useEffect(() => {
    if (name === '') return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      suggestReceived({ organization, language }, JSON.parse(name), stop.signal)
        .then(list => setReceived({ for: name, list }))
        // Typed on, or nobody answers: the known words are still there.
        .catch(() => {})
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [organization, language, name])
  if (!token) return []
  const known = suggestKnown(token, language)
  const taken = new Set(known.map(({ text: each }) => each))
  return [...known, ...(received.for === name ? received.list.filter(({ text: each }) => !taken.has(each)) : [])].slice(
    0,
    12,
  )
}
