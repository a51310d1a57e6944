'use client'
import { useSyncExternalStore } from 'react'
import { shortcutLabel } from './command.ts'

const never = () => () => {}
const isApple = () => /mac|iphone|ipad/i.test(navigator.platform)

/** Whether shortcuts are printed with ⌘. The server does not know the keyboard and prints Ctrl. */
export const useIsMac = (): boolean => useSyncExternalStore(never, isApple, () => false)

/** A shortcut as keys. Touch screens don't show it. */
export function ShortcutKeys({ shortcut, className }: { shortcut: string; className?: string }) {
  return <kbd className={className}>{shortcutLabel(shortcut, useIsMac())}</kbd>
}
