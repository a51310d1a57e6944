'use client'

import * as Sentry from '@sentry/nextjs'
import { notFound } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'

const Gallery = lazy(() => import('./gallery.tsx').then(({ Gallery }) => ({ default: Gallery })))

export function FailureButtons() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className="buttons">
        <button type="button" onClick={() => setOpen(true)}>
          Open the gallery
        </button>
        <button type="button" onClick={reportNotFound}>
          Reported not-found
        </button>
        <button type="button" onClick={abortRequest}>
          Aborted request
        </button>
        <button type="button" onClick={reportResizeLoop}>
          Resize loop
        </button>
        <button type="button" onClick={reportFault}>
          A fault of the shop
        </button>
      </div>
      {isOpen ? (
        <Suspense fallback={<p>Loading the gallery…</p>}>
          <Gallery />
        </Suspense>
      ) : null}
    </>
  )
}

/** notFound() works by throwing: whoever catches everything reports it as an error. */
function reportNotFound() {
  try {
    notFound()
  } catch (error) {
    Sentry.captureException(error)
  }
}

function abortRequest() {
  const controller = new AbortController()
  void fetch('/api/items/pot', { signal: controller.signal })
  controller.abort()
}

/** As older browsers say it; the SDK itself drops the newer wording. */
function reportResizeLoop() {
  Sentry.captureException(new Error('ResizeObserver loop limit exceeded'))
}

function reportFault() {
  Sentry.captureException(new Error('The gallery has no pictures'))
}
