'use client'
import type { ReactNode } from 'react'
import { useIsPeekOpen } from './triage.ts'

/** List and peek side by side. A class and not `:has()`, with which every new peek would style the whole list anew. */
export function PeekSpace({ children }: { children: ReactNode }) {
  return <div className={useIsPeekOpen() ? 'with-peek open' : 'with-peek'}>{children}</div>
}
