'use client'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { ActionState } from '#web/action-state.ts'
import { Level } from '../level.tsx'

const shownMs = 8_000 // long enough to read a sentence and to reach for Undo

/** The last word counts: one that comes while another is shown takes its place, whichever form of the page it speaks for. */
let leave: (() => void) | null = null
function takePlace(own: () => void): () => void {
  leave?.()
  leave = own
  return () => {
    if (leave === own) leave = null
  }
}

type Props = { message: string; isFailure?: boolean; children?: ReactNode }

/** What became of a change, and the way back as its child. A success leaves by itself, unless somebody is at it; a failure stays. */
export function Toast({ message, isFailure = false, children }: Props) {
  const [isGone, setGone] = useState(false)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isFailure || isHeld || isGone) return
    const timer = setTimeout(() => setGone(true), shownMs)
    return () => clearTimeout(timer)
  }, [isFailure, isHeld, isGone])
  useEffect(() => takePlace(() => setGone(true)), [])
  if (isGone) return null
  return (
    <div className="toasts">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a pointer over it only holds it back */}
      <div
        className="toast"
        data-stay={isFailure || isHeld ? '' : undefined}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <Level level={isFailure ? 'error' : 'ok'} />
        <span role={isFailure ? 'alert' : 'status'}>{message}</span>
        {children}
        <button type="button" className="icon-btn" aria-label="Dismiss" onClick={() => setGone(true)}>
          <X className="i i-s" aria-hidden="true" />
        </button>
      </div>
    </div>
  )
}

/** What became of a form, each time it was sent, also when the words are the same as before. The way back is its child. */
export function ActionToast({ state, children }: { state: ActionState; children?: ReactNode }) {
  const [seen, setSeen] = useState({ state, times: 0 })
  if (state !== seen.state) setSeen({ state, times: seen.times + 1 })
  if (state.kind === 'idle') return null
  return (
    <Toast key={seen.times} message={state.message} isFailure={state.kind === 'failed'}>
      {children}
    </Toast>
  )
}
