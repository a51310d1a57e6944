'use client'
import { useEffect, useState } from 'react'
import { Blank } from '#ui/blank.tsx'
import { reportError } from '#web/self-report/report-error.ts'

const words = {
  asking: '',
  reported: 'The error was reported to this server’s own project.',
  kept: 'The error could not be reported; the browser’s console has it.',
} as const

/** A page that failed. A reference is also in the server's log; without one the fault was in the browser. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const [report, setReport] = useState<keyof typeof words>('asking')
  useEffect(() => {
    // The server has reported its own faults; what reaches the browser of them is a reference.
    if (error.digest) return
    void reportError(error).then(isTaken => setReport(isTaken ? 'reported' : 'kept'))
  }, [error])
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
        Events are still being received. Trying again usually helps; your filters are in the address.{' '}
        <span aria-live="polite">{error.digest ? 'The server has written it to its log.' : words[report]}</span>
      </Blank>
    </main>
  )
}
