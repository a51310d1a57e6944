'use client'
import { useEffect, useState } from 'react'
import { Blank } from '#ui/blank.tsx'
import { reportError } from '#web/self-report/report-error.ts'

const reportStates = {
  reporting: '',
  reported: 'The error was reported to Hydrant’s own project.',
  failed: 'The error couldn’t be reported. See the browser console.',
} as const

type Props = {
  /** Errors of the server carry a digest, which is also in the server log. */
  error: Error & { digest?: string }
  onRetry: () => void
  isPage?: boolean
}

/** Shown in place of a page that failed, with a retry button. */
export function FailedPage({ error, onRetry, isPage = false }: Props) {
  const [report, setReport] = useState<keyof typeof reportStates>('reporting')
  useEffect(() => {
    // The server has already reported its own errors.
    if (error.digest) return
    void reportError(error).then(isReported => setReport(isReported ? 'reported' : 'failed'))
  }, [error])
  return (
    <Blank
      isPage={isPage}
      title="This page stopped working"
      actions={
        <>
          <button type="button" className="btn primary" onClick={onRetry}>
            Try again
          </button>
          <a className="btn plain" href="/">
            Go to issues
          </a>
        </>
      }
      reference={error.digest ? `Reference: ${error.digest}` : undefined}
    >
      Events are still being received. Try again; your filters are in the URL.{' '}
      <span aria-live="polite">{error.digest ? 'The error is in the server log.' : reportStates[report]}</span>
    </Blank>
  )
}
