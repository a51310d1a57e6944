'use client'
import type { ReactNode } from 'react'
import { PanelBoundary } from '#ui/panel-boundary.tsx'
import { reportError } from '#web/self-report/report-error.ts'

/** A part of a page that can fail alone. The error is reported. */
export function Panel({ what, children }: { what: string; children: ReactNode }) {
  return (
    <PanelBoundary what={what} onFault={error => void reportError(error)}>
      {children}
    </PanelBoundary>
  )
}
