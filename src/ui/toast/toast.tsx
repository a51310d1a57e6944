'use client'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { ActionState } from '#web/action-state.ts'
import { Level } from '../level.tsx'

const shownMs = 8_000 // long enough to read a sentence and to reach for Undo

/** Only one toast is shown: a new one dismisses the current one, whichever form it belongs to. */
let dismissCurrent: (() => void) | null = null
function replaceCurrent(dismiss: () => void): () => void {
  dismissCurrent?.()
  dismissCurrent = dismiss
  return () => {
    if (dismissCurrent === dismiss) dismissCurrent = null
  }
}

type Props = { message: string; isFailure?: boolean; children?: ReactNode }

/** The result of a change, with Undo as its child. A success disappears unless hovered or focused; a failure stays. */
export function Toast({ message, isFailure = false, children }: Props) {
  const [isGone, setGone] = useState(false)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isFailure || isHeld || isGone) return
    const timer = setTimeout(() => setGone(true), shownMs)
    return () => clearTimeout(timer)
  }, [isFailure, isHeld, isGone])
  useEffect(() => replaceCurrent(() => setGone(true)), [])
  if (isGone) return null
  return (
    <div className="toasts">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps it open */}
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

/** A toast for the result of a form. It appears after every submit, even if the message is the same as before. */
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
