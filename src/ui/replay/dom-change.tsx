'use client'
import { Suspense, useState } from 'react'
import { lazyPart } from '../send/lazy-part.ts'

const DomDiff = lazyPart(() => import('./dom-diff.tsx'))

/** The page before and after a hydration error, from its replay. Read when somebody asks, because it opens the recording. */
export function DomChange({ href }: { href: string }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <Suspense fallback={<p className="t3">Reading the recording…</p>}>
        <DomDiff href={href} />
      </Suspense>
    )
  return (
    <button type="button" className="btn" onClick={() => setOpen(true)}>
      Compare the page before and after, from its replay
    </button>
  )
}
