'use client'
import { type ReactNode, useEffect, useRef } from 'react'

/** Pointer and keyboard can be in one place only. A class stands for them, and the rules of style sheets are widened to match it. */
const classes = {
  ':hover': 'as-hover',
  ':focus-visible': 'as-focus-visible',
  ':focus-within': 'as-focus-within',
  ':active': 'as-active',
  ':popover-open': 'as-popover-open',
} as const
type Pseudo = keyof typeof classes

type Props = {
  as: Pseudo
  /** Which element below it; the first that matches. */
  on: string
  children: ReactNode
}

/** Shows an element as if the pointer or the focus were on it, or as if it were open. */
export function Forced({ as, on, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector(on)?.classList.add(classes[as]), [as, on])
  return <div ref={box}>{children}</div>
}

/** Opens what is a `details` element. */
export function Opened({ on = 'details', children }: { on?: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    for (const fold of box.current?.querySelectorAll<HTMLDetailsElement>(on) ?? []) fold.open = true
  }, [on])
  return <div ref={box}>{children}</div>
}

/** A form that waits for an answer, which never comes. */
export function Sending({ children }: { children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.requestSubmit(), [])
  return (
    <form ref={form} action={() => new Promise<void>(() => {})}>
      {children}
    </form>
  )
}

/** Keeps room below for what opens over the page. */
export const Tall = ({ height, children }: { height: number; children: ReactNode }) => (
  <div style={{ minHeight: height }}>{children}</div>
)

export function forceStates(): void {
  for (const sheet of document.styleSheets) widenRules(sheet.cssRules)
}

function widenRules(rules: CSSRuleList): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) rule.selectorText = widen(rule.selectorText)
    else if (rule instanceof CSSImportRule && rule.styleSheet) widenRules(rule.styleSheet.cssRules)
    if ('cssRules' in rule) widenRules(rule.cssRules as CSSRuleList)
  }
}

function widen(selector: string): string {
  const forced = Object.entries(classes).reduce((text, [pseudo, name]) => text.replaceAll(pseudo, `.${name}`), selector)
  return forced === selector || selector.includes(forced) ? selector : `${selector}, ${forced}`
}
