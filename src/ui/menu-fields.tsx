'use client'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'

/**
 * Fields of a menu with a button of their own: Enter in one of them presses that button, and they are checked when it is pressed. The
 * form around them must be `noValidate`: a browser would check them for every other button too, and refuse without a word while the menu
 * is closed.
 */
export function MenuFields({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields and the button inside are operated; this only listens to them
    <div className="menu-own" onKeyDown={pressOwnButton} onClickCapture={checkFields}>
      {children}
    </div>
  )
}

function pressOwnButton(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
  event.preventDefault()
  event.currentTarget.querySelector('button')?.click()
}

function checkFields(event: MouseEvent<HTMLElement>): void {
  if (!(event.target instanceof Element) || event.target.closest('button') === null) return
  const fields = [...event.currentTarget.querySelectorAll('input')]
  if (fields.every(field => field.reportValidity())) return
  event.preventDefault()
  // A choice closes the menu: this is none yet.
  event.stopPropagation()
}
