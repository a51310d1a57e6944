import type { ReactNode } from 'react'
import { Level } from './level.tsx'

/** One sentence about what just happened. A failure is announced at once, a success politely. */
export function Notice({ kind, children }: { kind: 'error' | 'ok' | 'info' | 'warning'; children: ReactNode }) {
  const look = kind === 'error' ? 'notice err' : kind === 'ok' ? 'notice ok' : 'notice'
  return (
    <div className={look} role={kind === 'error' ? 'alert' : 'status'}>
      <Level level={kind} />
      <span>{children}</span>
    </div>
  )
}
