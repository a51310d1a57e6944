'use client'
import { type ReactNode, useEffect, useRef } from 'react'

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
