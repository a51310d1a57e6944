'use client'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useIsBrowser } from './use-is-browser.ts'

type Opening = {
  /** The item or field that gets focus, if not the first item. */
  focus?: string
  /** Called instead of focusing the menu's button when Escape closes it. */
  onDismiss?: (() => void) | undefined
}
/** For commands. */
export type MenuControl = { open: (opening?: Opening) => void }

type Props = {
  label: ReactNode
  name?: string
  className: string
  control?: Ref<MenuControl> | undefined
  /** Draws the items when a pointer or the focus comes near. The document has them: it works without JavaScript. */
  isLazy?: boolean
  children: ReactNode
}

/**
 * A menu that opens without JavaScript. With it, arrow keys, Home, End and the first letters of an item move through it, and Escape, a
 * click outside and a choice close it.
 */
export function Menu({ label, name, className, control, isLazy = false, children }: Props) {
  const isBrowser = useIsBrowser()
  const [isWanted, setIsWanted] = useState(false)
  const isDrawn = !isLazy || !isBrowser || isWanted
  const fold = useRef<HTMLDetailsElement>(null)
  const items = useRef<HTMLDivElement>(null)
  const onDismiss = useRef<(() => void) | undefined>(undefined)
  const typed = useRef({ text: '', at: 0 })
  function open({ focus = itemSelector, onDismiss: dismiss }: Opening = {}): void {
    if (fold.current) fold.current.open = true
    onDismiss.current = dismiss
    items.current?.querySelector<HTMLElement>(focus)?.focus()
  }
  useImperativeHandle(control, () => ({ open }))
  const want = () => setIsWanted(true)
  // Opened before the script was there.
  useLayoutEffect(() => {
    if (fold.current?.open) setIsWanted(true)
  }, [])
  useEffect(() => {
    const close = (event: Event) => {
      const details = fold.current
      if (!details?.open) return
      const isInside = event.target instanceof Node && details.contains(event.target)
      if (event instanceof KeyboardEvent ? event.key !== 'Escape' : isInside) return
      details.open = false
      if (!(event instanceof KeyboardEvent)) return
      event.stopPropagation()
      if (onDismiss.current) onDismiss.current()
      else details.querySelector('summary')?.focus()
      onDismiss.current = undefined
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close, { capture: true })
    }
  }, [])
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const all = [...(items.current?.querySelectorAll<HTMLElement>(itemSelector) ?? [])]
    const isOpen = fold.current?.open ?? false
    // Fields have their own use for these keys.
    if (event.target.matches('input, select, textarea') || (!isOpen && !event.key.startsWith('Arrow'))) return
    const to =
      isOpen && items.current?.contains(event.target) ? nextItem(event, all, typed.current) : firstItem(event, all)
    if (!to) return
    event.preventDefault()
    event.stopPropagation()
    if (fold.current) fold.current.open = true
    to.focus()
  }
  return (
    <details className="menu" ref={fold} onKeyDown={onKeyDown} onToggle={want} onFocus={want} onPointerEnter={want}>
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
        {isDrawn ? children : null}
      </div>
    </details>
  )
}

const itemSelector = 'button, a'
const typingMs = 700 // letters that follow each other faster are one word

function firstItem({ key }: KeyboardEvent, all: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return all[0]
  return key === 'ArrowUp' ? all.at(-1) : undefined
}

function nextItem(
  { key, target, timeStamp }: KeyboardEvent,
  all: readonly HTMLElement[],
  typed: { text: string; at: number },
): HTMLElement | undefined {
  const at = target instanceof HTMLElement ? all.indexOf(target) : -1
  if (key === 'ArrowDown') return all[(at + 1) % all.length]
  if (key === 'ArrowUp') return all[(at - 1 + all.length) % all.length]
  if (key === 'Home') return all[0]
  if (key === 'End') return all.at(-1)
  if (key.length > 1 || key === ' ') return undefined
  typed.text = timeStamp - typed.at < typingMs ? typed.text + key.toLowerCase() : key.toLowerCase()
  typed.at = timeStamp
  const starts = (item: HTMLElement) => (item.textContent ?? '').trim().toLowerCase().startsWith(typed.text)
  // Another word starts below the current item, so that one letter goes through all that begin with it.
  const from = typed.text.length > 1 ? at : at + 1
  return [...all.slice(from), ...all.slice(0, from)].find(starts)
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
