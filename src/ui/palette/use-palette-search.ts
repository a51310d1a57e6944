'use client'
import { useEffect, useState } from 'react'
import type { PaletteAnswer, PaletteResult } from './palette-entry.ts'

const debounceMs = 150 // the pause between two keys of a typist
const minChars = 2

type Found = { text: string; results: PaletteResult[]; state: 'found' | 'partial' | 'failed' }
export type PaletteSearch = {
  results: PaletteResult[]
  /** Those that the results have, in lower case. */
  words: string[]
  state: 'idle' | 'searching' | Found['state']
}

/**
 * Searches stored data while the text is typed. Only one request is under way: the next one cancels it, so that a late answer never
 * replaces a newer one.
 */
export function usePaletteSearch(organization: string, typed: string): PaletteSearch {
  const [found, setFound] = useState<Found>({ text: '', results: [], state: 'found' })
  const text = typed.trim()
  const isLong = text.length >= minChars
  useEffect(() => {
    if (!isLong) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      search(organization, text, stop.signal)
        .then(({ results, isPartial }) => setFound({ text, results, state: isPartial ? 'partial' : 'found' }))
        .catch(() => {
          if (!stop.signal.aborted) setFound({ text, results: [], state: 'failed' })
        })
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [organization, text, isLong])
  if (!isLong) return { results: [], words: [], state: 'idle' }
  if (found.text !== text) return { results: [], words: [], state: 'searching' }
  return { results: found.results, words: text.toLowerCase().split(/\s+/), state: found.state }
}

async function search(organization: string, text: string, signal: AbortSignal): Promise<PaletteAnswer> {
  const query = new URLSearchParams({ org: organization, q: text })
  const response = await fetch(`/api/palette?${query}`, { signal })
  if (!response.ok) throw new Error(`the search ended with ${response.status}`)
  return response.json()
}
