'use client'
import type { KeyboardEvent, ReactNode } from 'react'

/** Fields of a menu with a button of their own: Enter in one of them presses that button. */
export function MenuFields({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside are operated; this only listens for their Enter
    <div className="menu-own" onKeyDown={pressOwnButton}>
      {children}
    </div>
  )
}

function pressOwnButton(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
  event.preventDefault()
  event.currentTarget.querySelector('button')?.click()
}
