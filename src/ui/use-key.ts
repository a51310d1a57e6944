'use client'
import { useEffect } from 'react'

/** A single key, off inside fields, in dialogs and with modifiers. */
export function useKey(key: string, act: () => void) {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== key || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
      const target = event.target
      if (target instanceof Element && target.closest('input, textarea, select, dialog, [contenteditable]')) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  })
}
