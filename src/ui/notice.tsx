import type { ReactNode } from 'react'
import { Level } from './level.tsx'

/** A short message. Screen readers announce errors at once and others politely. */
export function Notice({ kind, children }: { kind: 'error' | 'ok' | 'info' | 'warning'; children: ReactNode }) {
  const look = kind === 'error' ? 'notice err' : kind === 'ok' ? 'notice ok' : 'notice'
  return (
    <div className={look} role={kind === 'error' ? 'alert' : 'status'}>
      <Level level={kind} />
      <span>{children}</span>
    </div>
  )
}
