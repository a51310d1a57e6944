'use client'
import { useSyncExternalStore } from 'react'

/** How many notifications are unread, for both bells of a page: the rail's counts, and the tab bar's shows the same. */
let counted: number | null = null
const watchers = new Set<() => void>()

export function setUnread(unread: number): void {
  counted = unread
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** `atStart` came with the page. */
export const useUnread = (atStart: number): number =>
  useSyncExternalStore(
    watch,
    () => counted ?? atStart,
    () => atStart,
  )
