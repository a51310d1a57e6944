'use client'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

const minPx = 160
const maxPx = 720
const stepPx = 16
const usualPx = 404 // as in the style sheet, on a wide screen

/** The width of the name column, which a separator changes by pointer or arrow keys. Until then the style sheet decides. */
export function useTreeWidth() {
  const [px, setPx] = useState<number | null>(null)
  const separator = useRef<HTMLDivElement>(null)
  const place = (wanted: number) => setPx(Math.round(Math.min(maxPx, Math.max(minPx, wanted))))
  const now = () => px ?? separator.current?.offsetLeft ?? usualPx

  function onKeyDown(event: KeyboardEvent): void {
    const to = { ArrowLeft: now() - stepPx, ArrowRight: now() + stepPx, Home: minPx, End: maxPx }[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    place(to)
  }
  function onPointerMove({ currentTarget, pointerId, clientX }: PointerEvent): void {
    const box = currentTarget.parentElement?.getBoundingClientRect()
    if (box && currentTarget.hasPointerCapture(pointerId)) place(clientX - box.left)
  }
  return {
    style: px === null ? undefined : ({ '--tree-set': `${px}px` } as CSSProperties),
    px: px ?? usualPx,
    separator: {
      ref: separator,
      'aria-valuemin': minPx,
      'aria-valuemax': maxPx,
      onKeyDown,
      onPointerMove,
      onPointerDown: (event: PointerEvent) => event.currentTarget.setPointerCapture(event.pointerId),
      onDoubleClick: () => setPx(null),
    },
  }
}
