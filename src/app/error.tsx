'use client'
import { useEffect } from 'react'
import { Blank } from '#ui/blank.tsx'
import { reportError } from '#web/self-report/report-error.ts'

/** A page that failed. Its reference is also in the server's log. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  useEffect(() => reportError(error), [error])
  return (
    <main>
      <Blank
        isPage
        title="This page stopped working"
        actions={
          <>
            <button type="button" className="btn primary" onClick={reset}>
              Try again
            </button>
            <a className="btn plain" href="/">
              Go to your issues
            </a>
          </>
        }
        reference={error.digest ? `reference ${error.digest}` : undefined}
      >
        Events are still being received. Trying again usually helps; your filters are in the address.
      </Blank>
    </main>
  )
}
