'use client'
import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server and while its HTML is hydrated, true afterwards. What a navigation draws begins with true. */
export const useIsBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
