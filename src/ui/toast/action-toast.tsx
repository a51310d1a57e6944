'use client'
import { type ReactNode, useState } from 'react'
import type { ActionState } from '#web/action-state.ts'
import { Toast } from './toast.tsx'

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
