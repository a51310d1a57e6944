'use client'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'

type Props = { label: ReactNode; name?: string; className: string; children: ReactNode }

/** A menu that opens without script. With it, Escape, a click elsewhere and a choice close it. */
export function Menu({ label, name, className, children }: Props) {
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const details = fold.current
      if (!details?.open) return
      const isInside = event.target instanceof Node && details.contains(event.target)
      if (event instanceof KeyboardEvent ? event.key !== 'Escape' : isInside) return
      details.open = false
      if (event instanceof KeyboardEvent) {
        event.stopPropagation()
        details.querySelector('summary')?.focus()
      }
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close, { capture: true })
    }
  }, [])
  return (
    <details className="menu" ref={fold}>
      <summary className={className} aria-label={name}>
        {label}
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are what is operated; this only hears them */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing a button by key is a click too */}
      <div
        className="pop"
        onClick={event => isChoice(event.target) && setTimeout(() => fold.current?.removeAttribute('open'))}
      >
        {children}
      </div>
    </details>
  )
}

/** A click into one of the menu's fields is not a choice yet. */
const isChoice = (target: EventTarget): boolean => target instanceof Element && target.closest('button, a') !== null

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
