'use client'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react'

/** For commands: opens or closes a menu, with focus on its first item. */
export type MenuControl = { toggle: () => void }

type Props = {
  label: ReactNode
  name?: string
  className: string
  control?: Ref<MenuControl> | undefined
  children: ReactNode
}

/** A menu that opens without JavaScript. With it, Escape, a click outside and a choice close it. */
export function Menu({ label, name, className, control, children }: Props) {
  const fold = useRef<HTMLDetailsElement>(null)
  const items = useRef<HTMLDivElement>(null)
  useImperativeHandle(control, () => ({
    toggle() {
      if (fold.current) fold.current.open = !fold.current.open
      items.current?.querySelector('button')?.focus()
    },
  }))
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are operated; this only listens to them */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing a button by key also fires a click */}
      <div
        ref={items}
        className="pop"
        onClick={event => isChoice(event.target) && setTimeout(() => fold.current?.removeAttribute('open'))}
      >
        {children}
      </div>
    </details>
  )
}

/** A click into one of the menu's fields is not a choice. */
const isChoice = (target: EventTarget): boolean => target instanceof Element && target.closest('button, a') !== null

/**
 * Fields in a menu with their own button: Enter presses that button, and pressing it validates the fields. The form must be
 * `noValidate`, because a browser would validate them for every other button too and block silently while the menu is closed.
 */
export function MenuFields({ change, label, children }: { change: string; label: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null)
  function pressOwnButton(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    button.current?.click()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields and the button inside are operated; this only listens to them
    <div className="menu-own" onKeyDown={pressOwnButton} onClickCapture={checkFields}>
      {children}
      <button ref={button} type="submit" name="change" value={change}>
        {label}
      </button>
    </div>
  )
}

function checkFields(event: MouseEvent<HTMLElement>): void {
  if (!(event.target instanceof Element) || event.target.closest('button') === null) return
  const fields = [...event.currentTarget.querySelectorAll('input')]
  if (fields.every(field => field.reportValidity())) return
  event.preventDefault()
  // Keep the menu open.
  event.stopPropagation()
}
