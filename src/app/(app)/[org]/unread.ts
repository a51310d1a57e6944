'use client'
import { useSyncExternalStore } from 'react'

/** What the viewer has not opened: notifications, and what users wrote. */
export type Unread = { notifications: number; feedback: number }

/** For all numbers of a page: the rail's bell counts, and the others show the same. */
let counted: Unread | null = null
const watchers = new Set<() => void>()

export function setUnread(unread: Unread): void {
  counted = unread
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** `atStart` came with the page. */
export const useUnread = (atStart: Unread): Unread =>
  useSyncExternalStore(
    watch,
    () => counted ?? atStart,
    () => atStart,
  )
