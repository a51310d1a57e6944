'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState, useTransition } from 'react'
import { createRefresher } from './create-refresher.ts'

/** Returns a function that refreshes the page for live news. Each refresh renders the whole page, so they never pile up. */
export function useRefresh({ delayMs = 0, pauseMs = 0 } = {}): () => void {
  const router = useRouter()
  const [isPending, start] = useTransition()
  const [refresher] = useState(() =>
    createRefresher({ refresh: () => start(() => router.refresh()), delayMs, pauseMs }),
  )
  useEffect(() => refresher.setRunning(isPending), [refresher, isPending])
  useEffect(() => refresher.stop, [refresher])
  return refresher.ask
}
