'use client'
/** The peek shows the issue whose row has focus, so that arrow keys, J and K browse issues, and a change goes on to the next one. */
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useLayoutEffect, useTransition } from 'react'

const settleMs = 150 // so that a held key doesn't load every row it passes
const maxAsked = 3

/**
 * The row that should be shown: the one that got focus last, by key or after a change. A pressed row opens its issue itself. Outside of
 * the components: the list sees focus before a peek is there, and the peek is replaced with every issue.
 */
let wanted: { href: string; asked: number } | null = null
/** When a row last got focus, on the page's clock. */
let focusedAt = Number.NEGATIVE_INFINITY
let follow: ((waitMs: number) => void) | null = null

/** For the list, which is there before the peek. */
export function useWatchFocus(): void {
  useEffect(() => {
    let isPressed = false
    const onPointer = ({ type }: Event) => {
      isPressed = type === 'pointerdown'
      if (isPressed) wanted = null
    }
    const onFocusIn = ({ target }: FocusEvent) => {
      const href = isPressed ? null : hrefOfRow(target)
      wanted = href === null ? null : { href, asked: 0 }
      // At once, unless a held key moves on.
      follow?.(performance.now() - focusedAt < settleMs ? settleMs : 0)
      focusedAt = performance.now()
    }
    /** Back and Forward say themselves what is shown. */
    const forget = () => {
      wanted = null
    }
    const presses = ['pointerdown', 'pointerup', 'pointercancel']
    for (const press of presses) document.addEventListener(press, onPointer, { capture: true })
    document.addEventListener('focusin', onFocusIn)
    addEventListener('popstate', forget)
    return () => {
      for (const press of presses) document.removeEventListener(press, onPointer, { capture: true })
      document.removeEventListener('focusin', onFocusIn)
      removeEventListener('popstate', forget)
    }
  }, [])
}

/**
 * For the peek. Focus stays in the list. If another issue arrives late, because it was already on its way, or the answer to a change
 * brings the old one back, the focused one is asked for again.
 */
export function useFollowFocus(href: string | null): void {
  const router = useRouter()
  const [isAsking, startAsking] = useTransition()
  const ask = useEffectEvent((to: string) => startAsking(() => router.replace(to, { scroll: false })))
  useLayoutEffect(() => {
    if (!href) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const own = (waitMs: number) => {
      clearTimeout(timer)
      const to = wanted
      if (!to || to.href.split('?')[0] === href || to.asked >= maxAsked) return
      timer = setTimeout(() => {
        to.asked += 1
        ask(to.href)
      }, waitMs)
    }
    follow = own
    return () => {
      clearTimeout(timer)
      if (follow === own) follow = null
    }
  }, [href])
  useEffect(() => {
    if (!href || isAsking) return
    if (wanted?.href !== hrefOfRow(document.activeElement)) wanted = null
    follow?.(settleMs)
  }, [href, isAsking])
}

const hrefOfRow = (target: EventTarget | null): string | null =>
  target instanceof Element && target.matches('.irow a') ? target.getAttribute('href') : null
