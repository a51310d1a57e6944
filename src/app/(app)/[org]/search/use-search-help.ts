'use client'
import { useEffect, useState } from 'react'
import type { SearchHelp } from './search-help.ts'

let loaded: SearchHelp | null = null

/** Null until it is wanted and there. If it cannot be loaded, the box searches without suggestions, and the next focus tries again. */
export function useSearchHelp(isWanted: boolean): SearchHelp | null {
  const [help, setHelp] = useState(loaded)
  useEffect(() => {
    if (!isWanted || help !== null) return
    let isGone = false
    import('./search-help.ts').then(
      ({ searchHelp }) => {
        loaded = searchHelp
        if (!isGone) setHelp(searchHelp)
      },
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [isWanted, help])
  return help
}
